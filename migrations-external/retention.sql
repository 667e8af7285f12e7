-- The retention job: deletes old runs with their values. Optional; run by the owner, from cron, as often as wanted.
-- The server never deletes a run, and its role may not.
--
--   PGOPTIONS="-c gatehouse.keep_days=730 -c gatehouse.keep_runs=500" psql -v ON_ERROR_STOP=1 -f retention.sql "$URL"
--
-- A run goes when it is older than keep_days (default 730) and not among the newest keep_runs (default 500) trusted
-- runs of its series, so that a test that seldom runs keeps its baselines. Keep keep_runs far above the baseline
-- window of 20: a metric that only some runs hold needs more runs to fill it.
--
-- It commits every batch_runs runs (default 50), so that no transaction is long, however much there is to delete: it
-- may be stopped at any time, and goes on where it was when it is run again. It must not be wrapped in a transaction.
--
-- Verdicts stay: those that wrote a run are kept for good, and the server deletes the others itself when they expire.
-- Sessions go a day after they expired; of the use of tokens what is older than keep_days goes, but for the newest of
-- each. Tokens stay: once there was one, a server never works without credentials again.

do $$
declare
  keep_days constant integer := coalesce(nullif(current_setting('gatehouse.keep_days', true), '')::integer, 730);
  keep_runs constant integer := coalesce(nullif(current_setting('gatehouse.keep_runs', true), '')::integer, 500);
  batch_runs constant integer := coalesce(nullif(current_setting('gatehouse.batch_runs', true), '')::integer, 50);
  before constant timestamptz := now() - make_interval(days => keep_days);
  after_id text := '';
  batch text[];
  held text[];
  deleted bigint := 0;
begin
  -- Of a session that has had no temporary table yet it would say that there is no such schema.
  if to_regclass('pg_temp.expired_runs') is not null then
    drop table pg_temp.expired_runs;
  end if;
  create temporary table expired_runs as
  select r.run_id collate "C" as run_id, r.trusted
  from (
    select run_id, created_at, trusted,
      row_number() over (
        partition by test_path, backend, suite, trusted order by created_at desc, run_id collate "C" desc
      ) as age_rank
    from runs
  ) r
  where r.created_at < before and not (r.trusted and r.age_rank <= keep_runs);
  create index on pg_temp.expired_runs (run_id);
  commit;

  loop
    select array_agg(e.run_id order by e.run_id) into batch
    from (select run_id from pg_temp.expired_runs where run_id > after_id order by run_id limit batch_runs) e;
    exit when batch is null;
    after_id := batch[cardinality(batch)];

    -- A run whose trust was given back meanwhile may be one to keep; it is looked at again next time.
    select array_agg(l.run_id) into held
    from (
      select r.run_id from runs r
      where r.run_id = any (batch)
        and r.trusted = (select e.trusted from pg_temp.expired_runs e where e.run_id = r.run_id collate "C")
      for update skip locked
    ) l;
    -- The copies go with their runs, by the foreign key: the triggers need not look after them.
    perform set_config('gatehouse.copying', 'on', true);
    delete from metric_values where run_id = any (held);
    delete from imported_runs where run_id = any (held);
    delete from runs where run_id = any (held);
    deleted := deleted + coalesce(cardinality(held), 0);
    commit;
  end loop;
  drop table pg_temp.expired_runs;

  delete from session_ends where session_hash in (
    select session_hash from sessions where expires_at < now() - interval '1 day');
  delete from sessions where expires_at < now() - interval '1 day';
  delete from api_token_uses u
  where u.used_at < before
    and exists (select from api_token_uses newer where newer.token_id = u.token_id and newer.hour > u.hour);
  raise notice 'deleted % runs', deleted;
end
$$;
