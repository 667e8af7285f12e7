-- The retention job: deletes old runs with their values. Optional; run by the owner, from cron, as often as wanted.
-- The server never deletes a run, and its role may not.
--
--   PGOPTIONS="-c gatehouse.keep_days=730 -c gatehouse.keep_runs=500" psql -v ON_ERROR_STOP=1 -f retention.sql "$URL"
--
-- A run goes when it is older than keep_days (default 730) and not among the newest keep_runs (default 500) trusted
-- runs of its series, so that a test that seldom runs keeps its baselines. Keep keep_runs far above the baseline
-- window of 20: a metric that only some runs hold needs more runs to fill it.
--
-- Verdicts stay: those that wrote a run are kept for good, and the server deletes the others itself when they expire.
-- Sessions go a day after they expired; of the use of tokens what is older than keep_days goes, but for the newest of
-- each. Tokens stay: once there was one, a server never works without credentials again.

begin;

create temporary table expired_runs on commit drop as
select r.run_id
from (
  select run_id, created_at,
    row_number() over (
      partition by test_path, backend, suite, trusted order by created_at desc, run_id collate "C" desc
    ) as age_rank,
    trusted
  from runs
) r
where r.created_at < now() - make_interval(
    days => coalesce(nullif(current_setting('gatehouse.keep_days', true), '')::integer, 730))
  and not (r.trusted and r.age_rank <=
    coalesce(nullif(current_setting('gatehouse.keep_runs', true), '')::integer, 500));

delete from metric_values where run_id in (select run_id from expired_runs);
delete from imported_runs where run_id in (select run_id from expired_runs);
delete from runs where run_id in (select run_id from expired_runs);

delete from session_ends where session_hash in (
  select session_hash from sessions where expires_at < now() - interval '1 day');
delete from sessions where expires_at < now() - interval '1 day';
delete from api_token_uses u
where u.used_at < now() - make_interval(
    days => coalesce(nullif(current_setting('gatehouse.keep_days', true), '')::integer, 730))
  and exists (select from api_token_uses newer where newer.token_id = u.token_id and newer.hour > u.hour);

commit;
