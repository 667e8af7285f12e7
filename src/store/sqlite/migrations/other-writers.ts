/**
 * What other writers insert is held to what PostgreSQL's types hold it to: SQLite would take any text as a time or a
 * number, and a time of another form sorts in another place.
 */
export const OTHER_WRITERS = `
create trigger runs_checked before insert on runs
when typeof(new.github_run_id) not in ('integer', 'null')
  or typeof(new.pr_number) not in ('integer', 'null')
  or typeof(new.github_run_attempt) not in ('integer', 'null')
begin
  select raise(abort, 'github_run_id, pr_number and github_run_attempt are integers or null');
end;
create trigger runs_timed after insert on runs
when new.created_at not glob
  '[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]T[0-9][0-9]:[0-9][0-9]:[0-9][0-9].[0-9][0-9][0-9][0-9][0-9][0-9]Z'
begin
  select raise(abort, 'created_at is no time; write it as 2026-11-30T18:00:00Z')
  where strftime('%Y', new.created_at) is null;
  update runs set created_at = strftime('%Y-%m-%dT%H:%M:%f', new.created_at) || '000Z' where run_id = new.run_id;
end;
`
