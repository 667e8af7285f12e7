/** Credentials. Of a token and of a session only the SHA-256 is kept; rows are inserted and never changed. */
export const CREDENTIALS = `
create table api_tokens (
  token_id text primary key not null,
  name text not null,
  token_hash text not null unique,
  scopes text not null,
  test_path_prefixes text,
  created_at text not null,
  created_by text not null,
  expires_at text
);
create index api_tokens_name on api_tokens (name);
create index api_tokens_newest on api_tokens (created_at desc, token_id desc);

create table api_token_revocations (
  token_id text primary key not null references api_tokens (token_id),
  created_at text not null,
  actor text not null
);
create table api_token_uses (
  token_id text not null references api_tokens (token_id),
  hour integer not null,
  used_at text not null,
  primary key (token_id, hour)
) without rowid;

create table sessions (
  session_hash text primary key not null,
  credential_hash text not null,
  created_at text not null,
  expires_at text not null
);
create index sessions_expiring on sessions (expires_at);
create table session_ends (
  session_hash text primary key not null references sessions (session_hash) on delete cascade,
  ended_at text not null
);
`
