-- Splits metric_values into partitions by the hash of run_id. Optional, for histories of some billions of values; run
-- once by the owner, with the server and all other writers stopped. docs/scaling.md says what it gains and costs.
--
--   PGOPTIONS="-c gatehouse.partitions=16" psql -v ON_ERROR_STOP=1 -f partitioning.sql "$URL"
--
-- All of it is one transaction: it takes as long as copying every value and building the indexes anew, needs the space
-- of the table a second time, and leaves everything as it was when it fails. Afterwards: vacuum analyze metric_values.
-- Run again it changes nothing.
--
-- What belongs to the table goes with it under its own name: columns, defaults, checks, indexes, foreign keys, triggers
-- and rights. A table with a unique index, with row security, or with views on it is refused.
--
-- By hash, since run ids are any text (another writer's): there is no partition to be made in time, and none that
-- everything unforeseen falls into.

do $$
declare
  count constant integer := coalesce(nullif(current_setting('gatehouse.partitions', true), '')::integer, 16);
  source constant oid := 'metric_values'::regclass;
  part text;
  definition text;
  definitions text[];
  statement_triggers text[];
begin
  if (select relkind from pg_class where oid = source) = 'p' then
    raise notice 'metric_values is partitioned already';
    return;
  end if;
  if count not between 2 and 1024 then
    raise exception 'gatehouse.partitions is %, and must be between 2 and 1024', count;
  end if;
  lock table metric_values in access exclusive mode;
  if exists (select from pg_index where indrelid = source and indisunique) then
    raise exception 'metric_values has a unique index, which a partitioned table could not keep';
  end if;
  if (select relrowsecurity or relforcerowsecurity from pg_class where oid = source) then
    raise exception 'metric_values has row security, which this file does not carry over';
  end if;

  -- As the statements that make them; the names are those of the new table by the time that they run.
  select coalesce(array_agg(made order by place), '{}') into definitions
  from (
    select 1 as place, pg_get_indexdef(indexrelid) as made from pg_index where indrelid = source
    union all
    select 2, format('alter table metric_values add constraint %I %s', conname, pg_get_constraintdef(oid))
    from pg_constraint where conrelid = source and contype = 'f'
    union all
    select 3, pg_get_triggerdef(oid) from pg_trigger where tgrelid = source and not tgisinternal
    union all
    select 4, format('grant %s on metric_values to %s%s', a.privilege_type,
      case a.grantee when 0 then 'public' else a.grantee::regrole::text end,
      case when a.is_grantable then ' with grant option' else '' end)
    from pg_class c cross join lateral aclexplode(c.relacl) a
    where c.oid = source and a.grantee <> c.relowner
  ) belonging;
  -- Those of the whole table do not see what is written to one partition by its name.
  select coalesce(array_agg(pg_get_triggerdef(oid)), '{}') into statement_triggers
  from pg_trigger where tgrelid = source and not tgisinternal and tgtype & 1 = 0;

  alter table metric_values rename to unpartitioned_values;
  create table metric_values (
    like unpartitioned_values including defaults including constraints including generated including storage
      including compression including comments
  ) partition by hash (run_id);
  for remainder in 0 .. count - 1 loop
    execute format('create table %I partition of metric_values for values with (modulus %s, remainder %s)',
      'metric_values_' || remainder, count, remainder);
  end loop;

  -- The values stay the same, and so do their copies.
  perform set_config('gatehouse.copying', 'on', true);
  insert into metric_values select * from unpartitioned_values;
  drop table unpartitioned_values;

  foreach definition in array definitions loop
    execute definition;
  end loop;
  for part in select inhrelid::regclass::text from pg_inherits where inhparent = 'metric_values'::regclass loop
    foreach definition in array statement_triggers loop
      execute regexp_replace(definition, ' ON \S*metric_values ', format(' ON %s ', part));
    end loop;
  end loop;
end
$$;
