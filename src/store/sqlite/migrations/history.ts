/**
 * The history, verdicts and revocations. `runs` and `metric_values` keep the shape that other tools know;
 * `STRICT` tables were rejected because those tools may write what SQLite otherwise takes (a NaN becomes NULL).
 */
export const HISTORY = `
create table runs (
  run_id text primary key not null,
  test_path text not null,
  backend text not null,
  suite text not null,
  commit_sha text,
  pr_number integer,
  github_run_id integer,
  github_run_attempt integer,
  event_name text,
  ref text,
  created_at text not null default (strftime('%Y-%m-%dT%H:%M:%f000Z', 'now')),
  trusted integer not null check (trusted in (0, 1))
);
-- A baseline walks this one, newest first.
create index runs_baseline on runs (test_path, backend, suite, trusted, created_at desc, run_id desc);
-- The lists of series and of their runs walk this one; with the trust, which is counted without a look at the table.
create index runs_series on runs (test_path, backend, suite, created_at desc, run_id desc, trusted);
create index runs_newest on runs (created_at desc, run_id desc);
create index runs_commit on runs (commit_sha);
create index runs_github_run on runs (github_run_id) where github_run_id is not null;
create index runs_pr on runs (pr_number) where pr_number is not null;

create table metric_values (
  run_id text not null references runs (run_id),
  metric_key text not null,
  steps_key text not null default '',
  constraint_key text not null default '',
  step integer not null,
  value real
);
-- With the value, so that a baseline's walk needs no look at the table to leave out what is not finite.
create index metric_values_coordinate on metric_values (run_id, metric_key, step, value);
-- For a coordinate that few runs hold: its values are found without a walk through the history.
create index metric_values_holders on metric_values (metric_key, step, run_id);
-- Empty unless another writer stored such values: counting them costs next to nothing.
create index metric_values_non_finite on metric_values (metric_key, step, run_id)
  where value is null or value >= 9e999 or value <= -9e999;

create table verdicts (
  verdict_id text primary key not null,
  created_at text not null,
  test_path text not null,
  backend text not null,
  suite text not null,
  commit_sha text not null,
  pr_number integer,
  github_run_id integer,
  github_run_attempt integer,
  event_name text,
  ref text,
  cadence text not null,
  run_id text,
  trusted integer not null check (trusted in (0, 1)),
  outcome text not null check (outcome in ('pass', 'fail')),
  failing_ci integer not null,
  actor text not null,
  document text not null,
  declarations text not null
);
create unique index verdicts_run on verdicts (run_id) where run_id is not null;
create index verdicts_newest on verdicts (created_at desc, verdict_id desc);
create index verdicts_series_newest
  on verdicts (test_path, backend, suite, created_at desc, verdict_id desc);
create index verdicts_commit on verdicts (commit_sha);
create index verdicts_github_run on verdicts (github_run_id) where github_run_id is not null;
create index verdicts_pr on verdicts (pr_number) where pr_number is not null;
create index verdicts_expiring on verdicts (created_at) where run_id is null;

-- The key begins with what both ways of reading look for.
create table verdict_checks (
  verdict_id text not null references verdicts (verdict_id) on delete cascade,
  position integer not null,
  metric_key text not null,
  checks text not null,
  primary key (verdict_id, metric_key, position)
);

create table imported_runs (
  run_id text primary key not null,
  cadence text,
  declarations text
);
-- Runs of the import that is under way; their values stand in metric_values already. See import-staging.ts.
create table staged_runs (
  run_id text primary key not null,
  test_path text not null,
  backend text not null,
  suite text not null,
  commit_sha text,
  pr_number integer,
  github_run_id integer,
  github_run_attempt integer,
  event_name text,
  ref text,
  created_at text not null,
  trusted integer not null,
  cadence text,
  declarations text,
  publishing integer not null default 0
);
create index staged_runs_publishing on staged_runs (publishing) where publishing = 1;
create trigger runs_staged before insert on runs
when exists (select 1 from staged_runs where run_id = new.run_id and publishing = 0)
begin
  select raise(abort, 'a run with this id is being imported');
end;
-- One row from the moment on at which the staged runs are certain to become runs.
create table staged_decision (decided integer primary key check (decided = 1));

create table verdict_evidence (
  verdict_id text not null references verdicts (verdict_id) on delete cascade,
  run_id text not null,
  primary key (verdict_id, run_id)
) without rowid;
create index verdict_evidence_run on verdict_evidence (run_id);

create table submission_keys (
  owner text not null,
  key text not null,
  content_hash text not null,
  verdict_id text not null references verdicts (verdict_id) on delete cascade,
  created_at text not null,
  wrote_run integer not null check (wrote_run in (0, 1)),
  primary key (owner, key)
) without rowid;
create index submission_keys_verdict on submission_keys (verdict_id);
create index submission_keys_expiring on submission_keys (created_at) where wrote_run = 0;

create table revocations (
  revocation_id text primary key not null,
  created_at text not null,
  actor text not null,
  reason text not null,
  selector text not null,
  impact text not null
);
create index revocations_newest on revocations (created_at desc, revocation_id desc);

create table revocation_runs (
  revocation_id text not null references revocations (revocation_id),
  run_id text not null,
  position integer not null,
  flipped integer not null check (flipped in (0, 1)),
  primary key (revocation_id, run_id)
) without rowid;
create index revocation_runs_run on revocation_runs (run_id);

create table revocation_undos (
  revocation_id text primary key not null references revocations (revocation_id),
  created_at text not null,
  actor text not null,
  reason text not null,
  restored text not null
);
`
