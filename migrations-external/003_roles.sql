-- The role that the server works under. Run by the owner of the database, who needs CREATEROLE (or by a superuser).
-- Idempotent. Gatehouse's login role is made a member of gatehouse_app (see README.md) and owns nothing.

begin;

do $$
begin
  if not exists (select from pg_roles where rolname = 'gatehouse_app') then
    create role gatehouse_app nologin;
  end if;
exception
  -- Another database of this server is being set up at the same moment.
  when duplicate_object or unique_violation then null;
end
$$;

-- No DDL. PostgreSQL 15 begins without this right for PUBLIC; a database upgraded from an older one may still have it.
do $$
begin
  execute format('revoke create on schema %I from public, gatehouse_app', current_schema());
  execute format('grant usage on schema %I to gatehouse_app', current_schema());
end
$$;

revoke all on
  gatehouse_migrations, runs, metric_values, imported_runs, verdicts, verdict_checks, verdict_evidence,
  submission_keys, revocations, revocation_runs, revocation_undos
from gatehouse_app;

grant select on gatehouse_migrations to gatehouse_app;

-- The history only grows; of a run nothing changes but its trust.
grant select, insert on runs, metric_values, imported_runs to gatehouse_app;
grant update (trusted) on runs to gatehouse_app;

grant select, insert on
  verdicts, verdict_checks, verdict_evidence, submission_keys, revocations, revocation_runs, revocation_undos
to gatehouse_app;

-- What expires. Checks, evidence and keys go with their verdict, by the foreign keys.
grant delete on verdicts, submission_keys to gatehouse_app;

insert into gatehouse_migrations (version, file) values (3, '003_roles.sql') on conflict do nothing;

commit;
