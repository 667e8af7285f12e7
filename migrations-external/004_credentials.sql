-- Credentials: API tokens and the dashboard's sessions. Run by the owner of the database, after 003. Idempotent.
--
-- Of a token and of a session only the SHA-256 is stored. Rows are inserted and never changed: that a token was revoked,
-- used, or a session ended, is a row of its own, and so the server's role needs neither UPDATE nor DELETE here.

begin;

create table if not exists api_tokens (
  token_id text primary key,
  name text not null,
  token_hash text not null unique,
  scopes text not null,
  test_path_prefixes text,
  created_at timestamptz not null,
  created_by text not null,
  expires_at timestamptz
);
create index if not exists api_tokens_name on api_tokens (name);
create index if not exists api_tokens_newest on api_tokens (created_at desc, token_id collate "C" desc);

create table if not exists api_token_revocations (
  token_id text primary key references api_tokens (token_id),
  created_at timestamptz not null,
  actor text not null
);

-- When a token was used: one row a token and hour, counted from 1970.
create table if not exists api_token_uses (
  token_id text not null references api_tokens (token_id),
  hour integer not null,
  used_at timestamptz not null,
  primary key (token_id, hour)
);

create table if not exists sessions (
  session_hash text primary key,
  credential_hash text not null,
  created_at timestamptz not null,
  expires_at timestamptz not null
);
create index if not exists sessions_expiring on sessions (expires_at);

create table if not exists session_ends (
  session_hash text primary key references sessions (session_hash),
  ended_at timestamptz not null
);

revoke all on api_tokens, api_token_revocations, api_token_uses, sessions, session_ends from gatehouse_app;
grant select, insert on api_tokens, api_token_revocations, api_token_uses, sessions, session_ends to gatehouse_app;

insert into gatehouse_migrations (version, file) values (4, '004_credentials.sql') on conflict do nothing;

commit;
