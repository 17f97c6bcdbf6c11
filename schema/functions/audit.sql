-- Writes the audit log's line of a call that changed nothing. A repeat of the call within an hour adds to the same
-- line. A person has at most `most` lines of refused calls per day and project; more calls add to the newest line, so
-- that nobody can fill the log with refused calls. Reads the index `audit_log_attempts`.
create or replace function note_attempt(
  project uuid, its_site uuid, by_actor jsonb, its_action text, request text, its_tool text, its_input bytea,
  its_result text, instant timestamptz, most integer
)
returns void
language plpgsql as $$
declare
  person text := by_actor ->> 'userId';
  found_at timestamptz;
  found_id uuid;
begin
  -- Calls at the same moment find each other's line.
  perform take_turn('attempts', project);
  select line.at, line.id
  into found_at, found_id
  from audit_log line
  where line.project_id = project
    and line.actor ->> 'userId' = person
    and line.result <> 'done'
    and line.at > instant - interval '1 hour'
    and line.actor = by_actor
    and line.action = its_action
    and line.result = its_result
    and line.site is not distinct from its_site
    and line.tool is not distinct from its_tool
    and line.input_hash is not distinct from its_input
  order by line.at desc
  limit 1;
  if found_id is null and its_result not in ('dry_run', 'unchanged') then
    select (array_agg(line.at order by line.at desc))[1], (array_agg(line.id order by line.at desc))[1]
    into found_at, found_id
    from audit_log line
    where line.project_id = project
      and line.actor ->> 'userId' = person
      and line.result not in ('done', 'dry_run', 'unchanged')
      and line.at > instant - interval '1 day'
    having count(*) >= most;
  end if;
  if found_id is null then
    insert into audit_log (project_id, site, at, actor, action, request_id, tool, input_hash, result)
    values (project, its_site, instant, by_actor, its_action, request, its_tool, its_input, its_result);
  else
    update audit_log line
    set calls = line.calls + 1, last_at = instant
    where line.project_id = project and line.at = found_at and line.id = found_id;
  end if;
end
$$;

-- Deletes up to `max_rows` old lines of the audit logs: lines of calls that changed nothing after 90 days, all others
-- after 25 months. Costs two probes per project, by the primary key and by `audit_log_attempts`.
create or replace function expire_audit(
  instant timestamptz, max_rows integer, out deleted integer, out finished boolean
)
language plpgsql as $$
declare
  oldest_change constant timestamptz := trusted_instant(instant) - interval '25 months';
  oldest_attempt constant timestamptz := trusted_instant(instant) - interval '90 days';
begin
  delete from audit_log
  where ctid = any (
    array(
      select old.line
      from projects
      cross join lateral (
        (
          select l.ctid as line
          from audit_log l
          where l.project_id = projects.id and l.at < oldest_change
          limit max_rows
        )
        union
        (
          select l.ctid as line
          from audit_log l
          where l.project_id = projects.id and l.result <> 'done' and l.at < oldest_attempt
          limit max_rows
        )
      ) old
      limit max_rows
    )
  );
  get diagnostics deleted = row_count;
  finished := deleted < max_rows;
end
$$;
