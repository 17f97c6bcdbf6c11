-- Sums parts of spans to minutes and hours (schema/migrations/0010-telemetry-rollups.sql).

-- The common name of operations beyond the limit of their service and hour. Without it, names that contain an id would
-- make an unbounded number of rows.
create or replace function other_operations() returns text
language sql immutable parallel safe as $$
  select '(other operations)'
$$;

-- The parts with the names under which their operations are summed. Up to `max_operations` operations of a service
-- and hour keep their names: first those with sums already, then entries before others, and frequent ones before rare
-- ones. One look-up by the primary key of span_hours for each operation, and for each service with a new one.
create or replace function name_operations(parts span_parts[], max_operations integer) returns span_parts[]
language plpgsql stable as $$
begin
  return (
    with part as (
      select environment_key, date_trunc('hour', minute, 'UTC') as hour, service, operation, entry, spans
      from unnest(parts)
    ),
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
    )
    select case
      when exists (select from crowded) then (
        select array_agg(case when crowded.operation is null then part else as_other_operation(part) end)
        from unnest(parts) as part
        left join crowded on crowded.environment_key = part.environment_key
          and crowded.hour = date_trunc('hour', part.minute, 'UTC')
          and crowded.service = part.service
          and crowded.operation = part.operation
      )
      else parts
    end
  );
end
$$;

create or replace function as_other_operation(part span_parts) returns span_parts
language plpgsql immutable parallel safe as $$
begin
  part.operation := other_operations();
  return part;
end
$$;

-- Adds parts to `target`, which is span_minutes or span_hours; `unit` is minute or hour. One look-up by the primary
-- key for each written row.
create or replace function add_span_parts(target text, unit text, parts span_parts[]) returns void
language plpgsql as $$
begin
  execute format($query$
    with added as (
      select
        *, dense_rank() over (order by environment_key, start, service, operation, entry, status) as key
      from (select *, date_trunc($1, minute, 'UTC') as start from unnest($2)) part
    ),
    keys as (
      select distinct on (key) key, environment_key, start, service, operation, entry, status
      from added
      order by key
    ),
    whole as (
      select key, last_nano, duration_nano, buckets, counts
      from added
      union all
      select key, stored.last_nano, stored.duration_nano, stored.buckets, stored.counts
      from keys
      join %1$I stored on stored.environment_key = keys.environment_key
        and stored.minute = keys.start
        and stored.service = keys.service
        and stored.operation = keys.operation
        and stored.entry = keys.entry
        and stored.status = keys.status
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
    )
    insert into %1$I (
      environment_key, minute, service, operation, entry, status, spans, last_nano, duration_nano, buckets, counts
    )
    select environment_key, start, service, operation, entry, status, spans, last_nano, duration_nano, buckets, counts
    from keys join total using (key) join histogram using (key)
    order by key
    on conflict (environment_key, minute, service, operation, entry, status) do update set
      spans = excluded.spans, last_nano = excluded.last_nano, duration_nano = excluded.duration_nano,
      buckets = excluded.buckets, counts = excluded.counts
  $query$, target) using unit, parts;
end
$$;

-- Adds up to `piece` parts to minutes and hours; returns how many, or 0 while another call runs. A reader sees either
-- a part or its sum, because both change in one transaction. The cost grows with the parts and with the rows that
-- they change.
create or replace function sum_spans(piece integer, max_operations integer default 500) returns integer
language plpgsql set jit = off set work_mem = '32MB' as $$
declare
  parts span_parts[];
begin
  if not pg_try_advisory_xact_lock(hashtextextended('sum_spans', 0)) then
    return 0;
  end if;
  with taken as (
    delete from span_parts as part
    where ctid = any (array(select ctid from span_parts limit piece))
    returning part
  )
  select array_agg(part)
  into parts
  from taken;
  if parts is null then
    return 0;
  end if;
  parts := name_operations(parts, max_operations);
  perform add_span_parts('span_minutes', 'minute', parts);
  perform add_span_parts('span_hours', 'hour', parts);
  insert into service_map_due (environment_key, minute, due_at)
  select distinct environment_key, minute, minute + interval '2 minutes'
  from unnest(parts)
  on conflict (environment_key, minute) do update set due_at = least(service_map_due.due_at, excluded.due_at);
  return cardinality(parts);
end
$$;
