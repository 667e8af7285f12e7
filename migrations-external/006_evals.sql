-- Evals: grids, eval runs and comparisons. Run by the owner of the database, after 005. Idempotent.
--
-- Rows are inserted and never changed, so that the server's role needs neither UPDATE nor DELETE here: that an eval run
-- was deleted is a row of its own, and its name stays taken.

begin;

-- What was said of a grid or of two runs. `head` is what a list shows, `detail` the rest of the document.
create table if not exists eval_verdicts (
  eval_id text primary key,
  kind text not null check (kind in ('grid', 'comparison')),
  created_at timestamptz not null,
  name text,
  outcome text check (outcome in ('pass', 'fail')),
  actor text not null,
  head text not null,
  detail text not null
);
create index if not exists eval_verdicts_newest on eval_verdicts (kind, created_at desc, eval_id collate "C" desc);

-- The rows of a grid, complete or not: JSON arrays of some hundred each.
create table if not exists eval_grid_rows (
  eval_id text not null references eval_verdicts (eval_id),
  position integer not null,
  items text not null,
  primary key (eval_id, position)
);

create table if not exists eval_runs (
  eval_run_id text primary key,
  name text not null,
  created_at timestamptz not null,
  actor text not null,
  content_hash text not null,
  head text not null,
  questions integer not null
);
create unique index if not exists eval_runs_name on eval_runs (name collate "C");
create index if not exists eval_runs_newest on eval_runs (created_at desc, eval_run_id collate "C" desc);

-- The questions of an eval run, in the same form.
create table if not exists eval_run_questions (
  eval_run_id text not null references eval_runs (eval_run_id),
  position integer not null,
  items text not null,
  primary key (eval_run_id, position)
);

create table if not exists eval_run_deletions (
  eval_run_id text primary key references eval_runs (eval_run_id),
  created_at timestamptz not null,
  actor text not null
);

-- Which answer an idempotency key stands for.
create table if not exists eval_keys (
  owner text not null,
  key text not null,
  content_hash text not null,
  eval_id text not null references eval_verdicts (eval_id),
  created_at timestamptz not null,
  primary key (owner, key)
);

revoke all on eval_verdicts, eval_grid_rows, eval_runs, eval_run_questions, eval_run_deletions, eval_keys
from gatehouse_app;
grant select, insert on
  eval_verdicts, eval_grid_rows, eval_runs, eval_run_questions, eval_run_deletions, eval_keys
to gatehouse_app;

insert into gatehouse_migrations (version, file) values (6, '006_evals.sql') on conflict do nothing;

commit;
