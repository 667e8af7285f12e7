-- Indexes on the history, and Gatehouse's own tables.
-- Run by the owner of the database. Idempotent and additive: nothing existing is changed or dropped.
--
-- Text that is ordered is ordered by code point (collate "C"), whatever the collation of the database: both of
-- Gatehouse's backends must give the same order.
--
-- On a large existing history, build the indexes on runs and metric_values beforehand under the same names with
-- CREATE INDEX CONCURRENTLY, which lets other writers go on; this file then finds them in place (see README.md).

begin;

-- A baseline walks this one, newest first.
create index if not exists gatehouse_runs_baseline
  on runs (test_path, backend, suite, trusted, created_at desc, run_id collate "C" desc);
-- The lists of series and of their runs walk this one. Its text is compared by code point throughout, unlike that of
-- the baseline index, which is for queries by plain equality too.
create index if not exists gatehouse_runs_series
  on runs (test_path collate "C", backend collate "C", suite collate "C", created_at desc, run_id collate "C" desc)
  include (trusted);
create index if not exists gatehouse_runs_newest on runs (created_at desc, run_id collate "C" desc);
create index if not exists gatehouse_runs_commit on runs (commit_sha);
create index if not exists gatehouse_runs_github_run on runs (github_run_id) where github_run_id is not null;
create index if not exists gatehouse_runs_pr on runs (pr_number) where pr_number is not null;

create index if not exists gatehouse_values_coordinate on metric_values (run_id, metric_key, step);
-- For a coordinate that few runs hold: its values are found without a walk through the history.
create index if not exists gatehouse_values_holders on metric_values (metric_key, step, run_id);
-- Empty unless another writer stored such values: counting them costs next to nothing.
create index if not exists gatehouse_values_non_finite on metric_values (metric_key, step, run_id)
  where (value > '-infinity'::double precision and value < 'infinity'::double precision) is not true;

-- Verdicts refer to runs without a foreign key: the history belongs to other tools too, and what they delete there
-- must not fail because of a verdict, nor take it along.
create table if not exists verdicts (
  verdict_id text primary key,
  created_at timestamptz not null,
  test_path text not null,
  backend text not null,
  suite text not null,
  commit_sha text not null,
  pr_number integer,
  github_run_id bigint,
  github_run_attempt integer,
  event_name text,
  ref text,
  cadence text not null,
  run_id text,
  trusted boolean not null,
  outcome text not null check (outcome in ('pass', 'fail')),
  failing_ci integer not null,
  actor text not null,
  document text not null,
  declarations text not null
);
create unique index if not exists verdicts_run on verdicts (run_id) where run_id is not null;
create index if not exists verdicts_newest on verdicts (created_at desc, verdict_id collate "C" desc);
create index if not exists verdicts_series_newest
  on verdicts (test_path, backend, suite, created_at desc, verdict_id collate "C" desc);
create index if not exists verdicts_commit on verdicts (commit_sha);
create index if not exists verdicts_github_run on verdicts (github_run_id) where github_run_id is not null;
create index if not exists verdicts_pr on verdicts (pr_number) where pr_number is not null;
create index if not exists verdicts_expiring on verdicts (created_at) where run_id is null;

-- The checks of a verdict in their order, a JSON array for each declared metric, so that the history of one metric
-- reads no other's. The key begins with what both ways of reading look for.
create table if not exists verdict_checks (
  verdict_id text not null references verdicts (verdict_id) on delete cascade,
  position integer not null,
  metric_key text not null,
  checks text not null,
  primary key (verdict_id, metric_key, position)
);

-- What came with a run that was imported and has no verdict here.
create table if not exists imported_runs (
  run_id text primary key,
  cadence text,
  declarations text
);

-- Which runs a verdict's baselines were read from.
create table if not exists verdict_evidence (
  verdict_id text not null references verdicts (verdict_id) on delete cascade,
  run_id text not null,
  primary key (verdict_id, run_id)
);
create index if not exists verdict_evidence_run on verdict_evidence (run_id);

create table if not exists submission_keys (
  owner text not null,
  key text not null,
  content_hash text not null,
  verdict_id text not null references verdicts (verdict_id) on delete cascade,
  created_at timestamptz not null,
  wrote_run boolean not null,
  primary key (owner, key)
);
create index if not exists submission_keys_verdict on submission_keys (verdict_id);
create index if not exists submission_keys_expiring on submission_keys (created_at) where not wrote_run;

create table if not exists revocations (
  revocation_id text primary key,
  created_at timestamptz not null,
  actor text not null,
  reason text not null,
  selector text not null,
  impact text not null
);
create index if not exists revocations_newest on revocations (created_at desc, revocation_id collate "C" desc);

-- Every run that a revocation covers, and whether it made the run untrusted.
create table if not exists revocation_runs (
  revocation_id text not null references revocations (revocation_id),
  run_id text not null,
  position integer not null,
  flipped boolean not null,
  primary key (revocation_id, run_id)
);
create index if not exists revocation_runs_run on revocation_runs (run_id);

-- A row of its own, so that nothing but runs.trusted ever needs an UPDATE.
create table if not exists revocation_undos (
  revocation_id text primary key references revocations (revocation_id),
  created_at timestamptz not null,
  actor text not null,
  reason text not null,
  restored text not null
);

insert into gatehouse_migrations (version, file) values (2, '002_gatehouse.sql') on conflict do nothing;

commit;
