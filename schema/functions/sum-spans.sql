-- Sums parts of spans to minutes and hours (schema/migrations/0010-telemetry-rollups.sql).

-- What operations are summed under that are one too many of their service and hour: names that bear an id would be
-- endless.
create or replace function other_operations() returns text
language sql immutable parallel safe as $$
  select '(other operations)'
$$;

-- Takes up to so many parts into minutes and hours; answers how many, 0 also while another call is at it. Readers see
-- a part or its sum, never both: it is one statement. Of a service and hour `max_operations` are kept apart, those
-- that came first, and of what comes at once entries before others and frequent ones before rare ones. Costs what the
-- parts hold, and the rows that they meet.
create or replace function sum_spans(piece integer, max_operations integer default 500) returns integer
language plpgsql set work_mem = '32MB' as $$
declare
  taken integer;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('sum_spans', 0)) then
    return 0;
  end if;
  with taken_part as (
    delete from span_parts
    where ctid = any (array(select ctid from span_parts limit piece))
    returning *
  ),
  part as (select *, date_trunc('hour', minute, 'UTC') as hour from taken_part),
  met as (
    select
      environment_key, hour, service, operation, bool_or(entry) as entry, sum(spans) as spans,
      exists (
        select
        from span_hours known
        where known.environment_key = part.environment_key
          and known.minute = hour
          and known.service = part.service
          and known.operation = part.operation
      ) as is_known
    from part
    group by environment_key, hour, service, operation
  ),
  room as (
    select
      environment_key, hour, service,
      max_operations - (
        select count(distinct operation)
        from span_hours known
        where known.environment_key = met.environment_key
          and known.minute = hour
          and known.service = met.service
          and known.operation <> other_operations()
      ) as left_over
    from met
    group by environment_key, hour, service
    having not bool_and(is_known)
  ),
  ranked as (
    select
      environment_key, hour, service, operation,
      row_number() over (
        partition by environment_key, hour, service
        order by entry desc, spans desc, operation
      ) as rank
    from met
    where not is_known
  ),
  crowded as (
    select environment_key, hour, service, operation
    from ranked join room using (environment_key, hour, service)
    where rank > left_over
  ),
  named as (
    select part.*, case when crowded.operation is null then part.operation else other_operations() end as name
    from part left join crowded using (environment_key, hour, service, operation)
  ),
  graded as (select false as hourly, minute as start, * from named union all select true, hour, * from named),
  added as (
    select *, dense_rank() over (order by hourly, environment_key, start, service, name, entry, status) as key
    from graded
  ),
  keys as (
    select distinct on (key) key, hourly, environment_key, start, service, name, entry, status
    from added
    order by key
  ),
  whole as (
    select key, last_nano, duration_nano, buckets, counts
    from added
    union all
    select key, last_nano, duration_nano, buckets, counts
    from keys
    join lateral (
      select last_nano, duration_nano, buckets, counts
      from span_minutes stored
      where not hourly
        and stored.environment_key = keys.environment_key
        and stored.minute = start
        and stored.service = keys.service
        and stored.operation = name
        and stored.entry = keys.entry
        and stored.status = keys.status
      union all
      select last_nano, duration_nano, buckets, counts
      from span_hours stored
      where hourly
        and stored.environment_key = keys.environment_key
        and stored.minute = start
        and stored.service = keys.service
        and stored.operation = name
        and stored.entry = keys.entry
        and stored.status = keys.status
    ) stored on true
  ),
  total as (select key, max(last_nano) as last_nano, sum(duration_nano) as duration_nano from whole group by key),
  cell as (
    select key, bucket, sum(held.spans)::integer as spans
    from whole cross join unnest(buckets, counts) as held(bucket, spans)
    group by key, bucket
  ),
  histogram as (
    select
      key, sum(spans)::integer as spans,
      array_agg(bucket order by bucket) as buckets,
      array_agg(spans order by bucket) as counts
    from cell
    group by key
  ),
  summed as (select * from keys join total using (key) join histogram using (key)),
  minutes as (
    insert into span_minutes as stored (
      environment_key, minute, service, operation, entry, status, spans, last_nano, duration_nano, buckets, counts
    )
    select environment_key, start, service, name, entry, status, spans, last_nano, duration_nano, buckets, counts
    from summed
    where not hourly
    order by key
    on conflict (
      environment_key, minute, service, operation, entry, status
    ) do update set
      spans = excluded.spans, last_nano = excluded.last_nano, duration_nano = excluded.duration_nano,
      buckets = excluded.buckets, counts = excluded.counts
  ),
  hours as (
    insert into span_hours as stored (
      environment_key, minute, service, operation, entry, status, spans, last_nano, duration_nano, buckets, counts
    )
    select environment_key, start, service, name, entry, status, spans, last_nano, duration_nano, buckets, counts
    from summed
    where hourly
    order by key
    on conflict (
      environment_key, minute, service, operation, entry, status
    ) do update set
      spans = excluded.spans, last_nano = excluded.last_nano, duration_nano = excluded.duration_nano,
      buckets = excluded.buckets, counts = excluded.counts
  ),
  due as (
    insert into service_map_due (environment_key, minute, due_at)
    select distinct environment_key, minute, minute + interval '2 minutes'
    from part
    on conflict (environment_key, minute) do update set due_at = least(service_map_due.due_at, excluded.due_at)
  )
  select count(*)
  into taken
  from taken_part;
  return taken;
end
$$;
