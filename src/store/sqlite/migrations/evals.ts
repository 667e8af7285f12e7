/** Evals. Rows are inserted and never changed; a deleted eval run keeps its name. */
export const EVALS = `
create table eval_verdicts (
  eval_id text primary key not null,
  kind text not null check (kind in ('grid', 'comparison')),
  created_at text not null,
  name text,
  outcome text check (outcome in ('pass', 'fail')),
  actor text not null,
  head text not null,
  detail text not null
);
create index eval_verdicts_newest on eval_verdicts (kind, created_at desc, eval_id desc);

create table eval_grid_rows (
  eval_id text not null references eval_verdicts (eval_id),
  position integer not null,
  items text not null,
  primary key (eval_id, position)
);

create table eval_runs (
  eval_run_id text primary key not null,
  name text not null unique,
  created_at text not null,
  actor text not null,
  content_hash text not null,
  head text not null,
  questions integer not null
);
create index eval_runs_newest on eval_runs (created_at desc, eval_run_id desc);

create table eval_run_questions (
  eval_run_id text not null references eval_runs (eval_run_id),
  position integer not null,
  items text not null,
  primary key (eval_run_id, position)
);

create table eval_run_deletions (
  eval_run_id text primary key not null references eval_runs (eval_run_id),
  created_at text not null,
  actor text not null
);

create table eval_keys (
  owner text not null,
  key text not null,
  content_hash text not null,
  eval_id text not null references eval_verdicts (eval_id),
  created_at text not null,
  primary key (owner, key)
) without rowid;
`
