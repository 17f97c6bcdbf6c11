-- Who calls whom: entries (of kind server or consumer) whose parent is a span of another service, by minute and hour.
-- A parent comes in another request than its child, so calls are found some minutes later, by the primary key of
-- `spans`.

-- The calls of spans that began in [from_nano, to_nano), which lies in one UTC day. An index scan of spans_time, and
-- a look-up by the primary key for each entry with a parent: its day, or the day before for what began before
-- midnight.
create or replace function calls_between(environment integer, from_nano bigint, to_nano bigint)
returns table (caller text, callee text, status smallint, duration_nano bigint)
language sql stable as $$
  select caller.service, callee.service, entry.status, entry.duration_nano
  from spans entry
  join lateral (
    select parent.resource_id
    from spans parent
    where parent.environment_key = environment
      and parent.trace_id = entry.trace_id
      and parent.span_id = entry.parent_span_id
      -- The day after: of a callee whose clock is behind.
      and parent.day in (day_of_nano(from_nano), day_of_nano(from_nano) - 1, day_of_nano(from_nano) + 1)
    limit 1
  ) parent on true
  join otlp_resources caller on caller.environment_key = environment and caller.id = parent.resource_id
  join otlp_resources callee on callee.environment_key = environment and callee.id = entry.resource_id
  where entry.environment_key = environment
    and entry.day = day_of_nano(from_nano)
    and entry.start_nano >= from_nano
    and entry.start_nano < to_nano
    and entry.kind in (2, 5)
    and entry.parent_span_id is not null
    and caller.service <> callee.service
$$;

-- Counts the calls of up to `piece` due minutes again, and those of their hours; returns how many. A minute is due 2
-- minutes after its spans came, and again 15 minutes later, when long parent spans have come. Returns 0 while another
-- call runs.
create or replace function map_services(instant timestamptz, piece integer) returns integer
language plpgsql as $$
declare
  due record;
  counted integer := 0;
begin
  -- If two minutes of an hour were counted at the same time, each would miss the other in the hour's sum.
  if not pg_try_advisory_xact_lock(hashtextextended('map_services', 0)) then
    return 0;
  end if;
  for due in
    -- Locked, so that spans that come meanwhile make their minute due again after this.
    with taken as materialized (
      select environment_key, minute
      from service_map_due
      where due_at <= instant
      order by due_at
      limit piece
      for update
    )
    select environment_key, date_trunc('hour', minute, 'UTC') as hour, array_agg(minute) as minutes
    from taken
    group by 1, 2
  loop
    perform count_calls_of_minute(due.environment_key, minute) from unnest(due.minutes) as minute;
    perform sum_calls_of_hour(due.environment_key, due.hour);
    update service_map_due
    set due_at = minute + interval '15 minutes'
    where environment_key = due.environment_key
      and minute = any (due.minutes)
      and due_at < minute + interval '15 minutes'
      and instant < minute + interval '15 minutes';
    delete from service_map_due
    where environment_key = due.environment_key and minute = any (due.minutes) and due_at <= instant;
    counted := counted + cardinality(due.minutes);
  end loop;
  return counted;
end
$$;

create or replace function count_calls_of_minute(environment integer, due timestamptz) returns void
language plpgsql as $$
declare
  from_nano bigint := (extract(epoch from due) * 1000000000)::bigint;
begin
  delete from service_calls where environment_key = environment and not hourly and minute = due;
  insert into service_calls (
    environment_key, hourly, minute, caller, callee, calls, errors, duration_nano, buckets, counts
  )
  select
    environment, false, due, caller, callee, sum(calls), sum(errors), sum(duration_nano), array_agg(bucket),
    array_agg(calls)
  from (
    select
      caller, callee, latency_bucket(duration_nano) as bucket, count(*)::integer as calls,
      (count(*) filter (where status = 2))::integer as errors,
      sum(duration_nano) as duration_nano
    from calls_between(environment, from_nano, from_nano + 60000000000)
    group by 1, 2, 3
  ) cell
  group by caller, callee;
end
$$;

create or replace function sum_calls_of_hour(environment integer, hour timestamptz) returns void
language sql as $$
  delete from service_calls where environment_key = environment and hourly and minute = hour;
  insert into service_calls (
    environment_key, hourly, minute, caller, callee, calls, errors, duration_nano, buckets, counts
  )
  with minutes as (
    select *
    from service_calls
    where environment_key = environment and not hourly and minute >= hour and minute < hour + interval '1 hour'
  ),
  cell as (
    select caller, callee, bucket, sum(held.calls)::integer as calls
    from minutes cross join unnest(buckets, counts) as held(bucket, calls)
    group by 1, 2, 3
  ),
  histogram as (
    select caller, callee, array_agg(bucket) as buckets, array_agg(calls) as counts
    from cell
    group by 1, 2
  ),
  total as (
    select caller, callee, sum(calls) as calls, sum(errors) as errors, sum(duration_nano) as duration_nano
    from minutes
    group by 1, 2
  )
  select environment, true, hour, caller, callee, calls, errors, duration_nano, buckets, counts
  from total join histogram using (caller, callee);
$$;
