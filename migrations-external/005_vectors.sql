-- The copy of the history by vectors: a row a run and metric, its steps and values as bytes. A verdict reads these
-- instead of a row a value. metric_values stays the truth, and nothing is lost with the copy: what has none is read by
-- its rows, and `gatehouse copy-history` makes it, in batches, while the service runs.
-- Run by the owner of the database. Idempotent. Takes a lock on runs and metric_values for as long as it takes to name
-- the runs that have no copy yet: some seconds for a million of them.

begin;

-- The series of a run, in sixteen bytes. Only speed rests on it: whatever is found by it is held to the series itself.
create or replace function gatehouse_series_key(test_path text, backend text, suite text) returns uuid
language sql immutable strict parallel safe
as $$ select md5(test_path || chr(31) || backend || chr(31) || suite)::uuid $$;

create table if not exists run_vectors (
  series_key uuid not null,
  metric_key text not null,
  created_at timestamptz not null,
  run_id text not null references runs (run_id) on delete cascade,
  steps bytea not null,
  vals bytea not null
);
-- Doubles of measurements do not compress; trying to costs more than the rest of a read.
alter table run_vectors alter column steps set storage external, alter column vals set storage external;
create unique index if not exists run_vectors_newest
  on run_vectors (series_key, metric_key, created_at desc, run_id collate "C" desc);
create index if not exists run_vectors_run on run_vectors (run_id);

-- The runs that have no copy, or have lost it.
create table if not exists uncopied_runs (
  run_id text primary key references runs (run_id) on delete cascade,
  series_key uuid not null
);
create index if not exists uncopied_runs_series on uncopied_runs (series_key);

-- The server writes runs, values and copy in one transaction and says so; all others may write as they like.
create or replace function gatehouse_copies_itself() returns boolean
language sql stable parallel safe
as $$ select coalesce(current_setting('gatehouse.copying', true), '') = 'on' $$;

create or replace function gatehouse_run_added() returns trigger
language plpgsql security definer set search_path from current
as $$
begin
  if gatehouse_copies_itself() then return null; end if;
  insert into uncopied_runs (run_id, series_key)
  select run_id, gatehouse_series_key(test_path, backend, suite) from added
  on conflict do nothing;
  return null;
end
$$;

create or replace function gatehouse_run_moved() returns trigger
language plpgsql security definer set search_path from current
as $$
begin
  delete from run_vectors where run_id in (old.run_id, new.run_id);
  delete from uncopied_runs where run_id in (old.run_id, new.run_id);
  insert into uncopied_runs (run_id, series_key)
  values (new.run_id, gatehouse_series_key(new.test_path, new.backend, new.suite));
  return null;
end
$$;

-- Takes the copies of runs whose values changed. The lock is the one that a foreign key takes: whoever makes a copy at
-- the moment holds the run against it, and so either sees the change or is over before it.
create or replace function gatehouse_values_changed() returns trigger
language plpgsql security definer set search_path from current
as $$
declare
  touched text[];
begin
  if gatehouse_copies_itself() then return null; end if;
  select array_agg(distinct run_id) into touched from changed;
  perform 1 from runs where run_id = any (touched) for key share;
  delete from run_vectors where run_id = any (touched);
  insert into uncopied_runs (run_id, series_key)
  select run_id, gatehouse_series_key(test_path, backend, suite) from runs where run_id = any (touched)
  on conflict do nothing;
  return null;
end
$$;

create or replace function gatehouse_values_truncated() returns trigger
language plpgsql security definer set search_path from current
as $$
begin
  delete from run_vectors;
  insert into uncopied_runs (run_id, series_key)
  select run_id, gatehouse_series_key(test_path, backend, suite) from runs
  on conflict do nothing;
  return null;
end
$$;

create or replace function gatehouse_run_copied() returns trigger
language plpgsql security definer set search_path from current
as $$
begin
  if gatehouse_copies_itself() then return null; end if;
  delete from uncopied_runs where run_id in (select run_id from added);
  return null;
end
$$;

create or replace trigger gatehouse_run_added after insert on runs
  referencing new table as added for each statement execute function gatehouse_run_added();
create or replace trigger gatehouse_run_moved after update of run_id, test_path, backend, suite, created_at on runs
  for each row when (
    (old.run_id, old.test_path, old.backend, old.suite, old.created_at)
    is distinct from (new.run_id, new.test_path, new.backend, new.suite, new.created_at)
  ) execute function gatehouse_run_moved();
create or replace trigger gatehouse_values_added after insert on metric_values
  referencing new table as changed for each statement execute function gatehouse_values_changed();
create or replace trigger gatehouse_values_updated_from after update on metric_values
  referencing old table as changed for each statement execute function gatehouse_values_changed();
create or replace trigger gatehouse_values_updated_to after update on metric_values
  referencing new table as changed for each statement execute function gatehouse_values_changed();
create or replace trigger gatehouse_values_deleted after delete on metric_values
  referencing old table as changed for each statement execute function gatehouse_values_changed();
create or replace trigger gatehouse_values_truncated after truncate on metric_values
  for each statement execute function gatehouse_values_truncated();
create or replace trigger gatehouse_run_copied after insert on run_vectors
  referencing new table as added for each statement execute function gatehouse_run_copied();

insert into uncopied_runs (run_id, series_key)
select r.run_id, gatehouse_series_key(r.test_path, r.backend, r.suite)
from runs r
where not exists (select from run_vectors v where v.run_id = r.run_id)
on conflict do nothing;

grant select, insert on run_vectors to gatehouse_app;
grant select on uncopied_runs to gatehouse_app;

insert into gatehouse_migrations (version, file) values (5, '005_vectors.sql') on conflict do nothing;

commit;
