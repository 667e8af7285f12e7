-- The history: runs and their values, in the plain shape that other tools read and write.
-- Run by the owner of the database. Idempotent; leaves existing tables and their rows as they are.

begin;

-- In another encoding, text would not hold every metric key, and would not sort by code point.
do $$
begin
  if current_setting('server_encoding') <> 'UTF8' then
    raise exception 'the encoding of this database is %, and Gatehouse needs UTF8: create it with ENCODING UTF8',
      current_setting('server_encoding');
  end if;
end
$$;

-- Which of these files have been applied. The server reads it and says which one is missing.
create table if not exists gatehouse_migrations (
  version integer primary key,
  file text not null,
  applied_at timestamptz not null default now()
);

create table if not exists runs (
  run_id text primary key,
  test_path text not null,
  backend text not null,
  suite text not null,
  commit_sha text,
  pr_number integer,
  github_run_id bigint,
  github_run_attempt integer,
  event_name text,
  ref text,
  created_at timestamptz not null default now(),
  trusted boolean not null
);

create table if not exists metric_values (
  run_id text not null references runs (run_id),
  metric_key text not null,
  steps_key text not null default '',
  constraint_key text not null default '',
  step bigint not null,
  value double precision not null
);

-- No unique constraint on (run_id, metric_key, step): an existing database may hold duplicates, and both count.

-- Tables that were there before must have the shape, or the files that follow would fail in the middle.
do $$
declare
  missing text;
begin
  select string_agg(wanted.table_name || '.' || wanted.column_name, ', ' order by wanted.table_name, wanted.column_name)
  into missing
  from (values
    ('runs', 'run_id'), ('runs', 'test_path'), ('runs', 'backend'), ('runs', 'suite'), ('runs', 'commit_sha'),
    ('runs', 'pr_number'), ('runs', 'github_run_id'), ('runs', 'github_run_attempt'), ('runs', 'event_name'),
    ('runs', 'ref'), ('runs', 'created_at'), ('runs', 'trusted'),
    ('metric_values', 'run_id'), ('metric_values', 'metric_key'), ('metric_values', 'steps_key'),
    ('metric_values', 'constraint_key'), ('metric_values', 'step'), ('metric_values', 'value')
  ) wanted (table_name, column_name)
  where not exists (
    select from information_schema.columns c
    where c.table_schema = current_schema() and c.table_name = wanted.table_name and c.column_name = wanted.column_name
  );
  if missing is not null then
    raise exception 'an existing table has another shape than Gatehouse needs; it lacks %', missing;
  end if;
end
$$;

insert into gatehouse_migrations (version, file) values (1, '001_history.sql') on conflict do nothing;

commit;
