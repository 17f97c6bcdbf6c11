-- Errors in groups (schema/migrations/0053-error-groups.sql): parts are added with the spans and records that have
-- them, and summed by a cron.

-- Adds the errors of a request's spans, as lib/telemetry/errors/error-parts.ts sums them.
create or replace function note_span_errors(environment integer, batch jsonb, instant timestamptz) returns void
language sql as $$
  insert into error_parts (
    environment_key, id, received_at, hour, service, release, type, cause, location, template, occurrences,
    first_nano, last_nano, examples, traces
  )
  select
    environment, telemetry_hash(jsonb_build_array(service, type, cause, location, template)::text), instant,
    to_timestamp(hour), service, release, type, cause, location, template, occurrences, "firstNano", "lastNano",
    examples, traces
  from jsonb_to_recordset(batch -> 'errors') as part (
    resource integer, hour bigint, release text, type text, cause text, location text, template text,
    occurrences integer, "firstNano" bigint, "lastNano" bigint, examples jsonb, traces uuid[]
  )
  cross join lateral service_of(batch -> 'resources' -> part.resource) as service
$$;

-- Adds the errors of a request's log records, of those that were stored: `stored_nanos` and `stored_hashes` are their
-- times and hashes.
create or replace function note_log_errors(
  environment integer, batch jsonb, stored_nanos bigint[], stored_hashes bigint[], instant timestamptz
)
returns void
language sql as $$
  with stored as (select * from unnest(stored_nanos, stored_hashes) as record(nano, hash)),
  error as (
    select
      error.*, (record.doc ->> 'storedNano')::bigint as nano, record.doc ->> 'traceId' as trace,
      record.doc ->> 'spanId' as span,
      service_of(resource.doc) as service, log_content(resource.id, scope.id, record.doc) as content
    from jsonb_to_recordset(batch -> 'errors') as error (
      log integer, release text, type text, cause text, location text, template text
    )
    join jsonb_array_elements(batch -> 'logs') with ordinality as record(doc, n) on n = log + 1
    join with_ids(batch -> 'resources') resource on resource.place = (record.doc ->> 'resource')::integer
    join with_ids(batch -> 'scopes') scope on scope.place = (record.doc ->> 'scope')::integer
  ),
  numbered as (select *, row_number() over (partition by content order by log) as twin from error)
  insert into error_parts (
    environment_key, id, received_at, hour, service, release, type, cause, location, template, occurrences,
    first_nano, last_nano, examples, traces
  )
  select
    environment, telemetry_hash(jsonb_build_array(service, type, cause, location, template)::text), instant,
    hour, service, release, type, cause, location, template, count(*), min(nano), max(nano),
    newest_examples(jsonb_agg(jsonb_build_object('time', nano::text, 'trace', trace, 'span', span)), 3),
    coalesce(array_agg(distinct trace::uuid) filter (where trace is not null), '{}')
  from numbered
  join stored using (nano)
  cross join lateral date_trunc('hour', to_timestamp(nano / 1000000000), 'UTC') as hour
  where stored.hash = log_hash(content, twin)
  group by hour, service, release, type, cause, location, template
$$;

-- The newest examples, each of another trace. An example without a trace has only its time.
create or replace function newest_examples(examples jsonb, most integer) returns jsonb
language sql immutable parallel safe as $$
  select coalesce(jsonb_agg(example order by nano desc), '[]')
  from (
    select *
    from (
      select distinct on (coalesce(example ->> 'trace', example ->> 'time'))
        example, (example ->> 'time')::bigint as nano
      from jsonb_path_query(examples, '$[*]') as listed(example)
      order by coalesce(example ->> 'trace', example ->> 'time'), (example ->> 'time')::bigint desc
    ) of_traces
    order by nano desc
    limit most
  ) newest
$$;

-- The parts with their groups. An environment has up to `max_groups`: first those that are known, then frequent ones.
-- All others are one group, which has no service and no example. One look-up by the primary key of error_groups for
-- each group, and for each environment with a new one.
create or replace function admit_errors(parts error_parts[], max_groups integer) returns error_parts[]
language sql stable as $$
  with met as (
    select
      environment_key, id, sum(occurrences) as occurrences,
      exists (
        select
        from error_groups known
        where known.environment_key = part.environment_key and known.id = part.id
      ) as is_known
    from unnest(parts) part
    group by environment_key, id
  ),
  room as (
    select
      environment_key,
      max_groups - (
        select count(*) from error_groups known where known.environment_key = met.environment_key and id <> 0
      ) as left_over
    from met
    group by environment_key
    having not bool_and(is_known)
  ),
  refused as (
    select environment_key, id
    from (
      select *, row_number() over (partition by environment_key order by occurrences desc, id) as rank
      from met
      where not is_known
    ) ranked
    join room using (environment_key)
    where rank > left_over
  )
  select array_agg(case when refused.id is null then part else as_other_error(part) end)
  from unnest(parts) as part
  left join refused on refused.environment_key = part.environment_key and refused.id = part.id
$$;

create or replace function as_other_error(part error_parts) returns error_parts
language plpgsql immutable parallel safe as $$
begin
  part.id := 0;
  part.service := '';
  part.type := '';
  part.cause := '';
  part.location := '';
  part.template := '';
  part.examples := '[]';
  return part;
end
$$;

-- Adds parts to groups. What happened after a group was resolved returns it.
create or replace function add_error_groups(parts error_parts[], instant timestamptz) returns void
language sql as $$
  with added as (
    select
      environment_key, id, service, type, cause, location, template, min(first_nano) as first_nano,
      max(last_nano) as last_nano,
      (array_agg(release order by first_nano))[1] as first_release,
      (array_agg(release order by last_nano desc))[1] as last_release,
      jsonb_agg(example) filter (where example is not null) as examples
    from unnest(parts) as part
    left join lateral jsonb_path_query(part.examples, '$[*]') as listed(example) on true
    group by environment_key, id, service, type, cause, location, template
  )
  insert into error_groups as known (
    environment_key, id, last_day, first_nano, last_nano, noted_at, state, service, type, cause, location, template,
    first_release, last_release, examples
  )
  select
    environment_key, id, day_of_nano(last_nano), first_nano, last_nano, instant, 'open', service, type, cause,
    location, template, first_release, last_release, newest_examples(coalesce(examples, '[]'), 20)
  from added
  order by environment_key, id
  on conflict (environment_key, id) do update set
    first_nano = least(known.first_nano, excluded.first_nano),
    last_nano = greatest(known.last_nano, excluded.last_nano),
    last_day = greatest(known.last_day, excluded.last_day),
    first_release = case
      when excluded.first_nano < known.first_nano then excluded.first_release
      else known.first_release
    end,
    last_release = case
      when excluded.last_nano > known.last_nano then excluded.last_release
      else known.last_release
    end,
    state = case
      when known.state = 'resolved' and excluded.last_nano > known.resolved_nano then 'returned'
      else known.state
    end,
    returned_at = case
      when known.state = 'resolved' and excluded.last_nano > known.resolved_nano then instant
      else known.returned_at
    end,
    examples = newest_examples(known.examples || excluded.examples, 20)
$$;

-- In how many traces the errors of parts occurred; null if it isn't known of each.
create or replace function traces_of(parts error_parts[]) returns integer
language sql immutable parallel safe as $$
  select case
    when bool_and(part.traces is not null) then (
      select count(distinct trace)::integer from unnest(parts) as one cross join unnest(one.traces) as trace
    )
  end
  from unnest(parts) as part
$$;

-- The sum; null if a number isn't known, 0 without numbers.
create or replace function known_sum(numbers bigint[]) returns bigint
language sql immutable parallel safe as $$
  select case when count(n) = count(*) then coalesce(sum(n), 0)::bigint end from unnest(numbers) as n
$$;

-- Adds parts to hours. An hour of a group has up to 20 releases; later ones are one.
create or replace function add_error_hours(parts error_parts[]) returns void
language sql as $$
  with added as (
    select
      environment_key, id, hour, release, sum(occurrences) as occurrences, traces_of(array_agg(part)) as traces,
      exists (
        select
        from error_hours known
        where known.environment_key = part.environment_key
          and known.id = part.id
          and known.hour = part.hour
          and known.release = part.release
      ) as is_known
    from unnest(parts) as part
    group by environment_key, id, hour, release
  ),
  ranked as (
    select
      *, row_number() over (partition by environment_key, id, hour, is_known order by occurrences desc, release) + (
        select count(*)
        from error_hours known
        where known.environment_key = added.environment_key and known.id = added.id and known.hour = added.hour
      ) as rank
    from added
  ),
  named as (
    select
      environment_key, id, hour, occurrences, traces,
      case when is_known or rank <= 20 then release else '(other)' end as release
    from ranked
  )
  insert into error_hours as known (environment_key, id, hour, release, occurrences, traces)
  select environment_key, id, hour, release, sum(occurrences), known_sum(array_agg(traces))
  from named
  group by environment_key, id, hour, release
  order by environment_key, id, hour, release
  on conflict (
    environment_key, id, hour, release
  ) do update set
    occurrences = least(known.occurrences::bigint + excluded.occurrences, 2147483647),
    traces = known.traces + excluded.traces
$$;

-- Sums up to `piece` parts to groups and hours; returns how many, or 0 while another call runs. A reader sees either
-- a part or its sum. The cost grows with the parts and with the rows that they change.
create or replace function sum_errors(instant timestamptz, piece integer, max_groups integer default 1000)
returns integer
language plpgsql set jit = off as $$
declare
  parts error_parts[];
begin
  if not pg_try_advisory_xact_lock(hashtextextended('sum_errors', 0)) then
    return 0;
  end if;
  with taken as (
    delete from error_parts as part
    where ctid = any (array(select ctid from error_parts limit piece))
    returning part
  )
  select array_agg(part)
  into parts
  from taken;
  if parts is null then
    return 0;
  end if;
  parts := admit_errors(parts, max_groups);
  perform add_error_groups(parts, instant);
  perform add_error_hours(parts);
  return cardinality(parts);
end
$$;
