/** The copy of the history by vectors, and what keeps it right whoever writes. See `vectors.ts`. */
export const VECTORS = `
  create table run_vectors (
    series_key text not null,
    metric_key text not null,
    created_at text not null,
    run_id text not null references runs (run_id) on delete cascade,
    steps blob not null,
    vals blob not null
  );
  create unique index run_vectors_newest on run_vectors (series_key, metric_key, created_at desc, run_id desc);
  create index run_vectors_run on run_vectors (run_id);

  -- The runs that have no copy, or have lost it.
  create table uncopied_runs (
    run_id text primary key not null references runs (run_id) on delete cascade,
    series_key text not null
  ) without rowid;
  create index uncopied_runs_series on uncopied_runs (series_key);

  create trigger runs_uncopied after insert on runs
  begin
    insert into uncopied_runs (run_id, series_key)
    values (new.run_id, new.test_path || char(31) || new.backend || char(31) || new.suite);
  end;
  create trigger runs_moved after update of run_id, test_path, backend, suite, created_at on runs
  begin
    delete from run_vectors where run_id in (old.run_id, new.run_id);
    delete from uncopied_runs where run_id in (old.run_id, new.run_id);
    insert into uncopied_runs (run_id, series_key)
    values (new.run_id, new.test_path || char(31) || new.backend || char(31) || new.suite);
  end;
  -- Not by the foreign keys alone, which another writer may have switched off.
  create trigger runs_deleted after delete on runs
  begin
    delete from run_vectors where run_id = old.run_id;
    delete from uncopied_runs where run_id = old.run_id;
  end;
  ${['insert', 'update', 'delete'].map(valuesTrigger).join('')}

  insert into uncopied_runs (run_id, series_key)
  select run_id, test_path || char(31) || backend || char(31) || suite from runs;
  `

/** A run whose values change loses its copy. */
function valuesTrigger(event: string): string {
  const touched = { insert: 'new.run_id', update: 'old.run_id, new.run_id', delete: 'old.run_id' }[event]
  return `
  create trigger values_copied_${event} after ${event} on metric_values
  when exists (select 1 from run_vectors where run_id in (${touched}))
  begin
    insert into uncopied_runs (run_id, series_key)
    select r.run_id, r.test_path || char(31) || r.backend || char(31) || r.suite
    from runs r
    where r.run_id in (${touched}) and not exists (select 1 from uncopied_runs u where u.run_id = r.run_id);
    delete from run_vectors where run_id in (${touched});
  end;`
}
