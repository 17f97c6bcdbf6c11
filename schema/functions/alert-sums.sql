-- Sums for alerts, of many windows of time at once (lib/alerts/read-windows.ts): one statement for all rules of a
-- batch. Only minutes and hours that were summed before are read, never visits or spans.

-- The windows of a question as rows. An item: n (its number), key (of the site or environment), zone, to (the window's
-- end), minutes (its length), weeks (how many weeks earlier, in the zone), and what is summed.
create or replace function windows_of(asked jsonb)
returns table (
  n integer, key integer, from_at timestamptz, to_at timestamptz, series integer, tier integer, operator text,
  names text[], service text, operation text, by_minute boolean
)
language sql stable rows 100 as $$
  select
    item.n, item.key, ended.at - item.minutes * interval '1 minute', ended.at, item.series, item.tier, item.operator,
    item.names, item.service, item.operation, coalesce(item.by_minute, false)
  from jsonb_to_recordset(asked) as item(
    n integer, key integer, zone text, "to" timestamptz, minutes integer, weeks integer, series integer, tier integer,
    operator text, names text[], service text, operation text, by_minute boolean
  )
  cross join lateral (
    select case item.weeks
      when 0 then item."to"
      else ((item."to" at time zone item.zone) - item.weeks * interval '7 days') at time zone item.zone
    end as at
  ) ended
$$;

-- Returns whether a name of site_minutes is asked for.
create or replace function names_match(operator text, names text[], name text) returns boolean
language sql immutable parallel safe as $$
  select case operator
    when 'is' then name = any (names)
    when 'not' then name <> all (names)
    when 'contains' then exists (select from unnest(names) part where strpos(lower(name), lower(part)) > 0)
    else true
  end
$$;

-- The sums of windows of watched sites; with by_minute also the least and the most of a window's minutes. is_covered:
-- the whole window is counted, and the site was known. By the primary key of site_minutes: the rows of a series in the
-- window's hours.
create or replace function sum_site_minutes(asked jsonb)
returns table (n integer, total double precision, low double precision, high double precision, is_covered boolean)
language sql stable set jit = off as $$
  select
    asked_for.n, coalesce(summed.total, 0)::double precision, summed.low::double precision,
    summed.high::double precision,
    coalesce(
      watch.since <= asked_for.from_at
        and (
          asked_for.series <> 6
            or coalesce((watch.goals ->> asked_for.names[1])::timestamptz <= asked_for.from_at, true)
        ),
      false
    )
  from windows_of(asked) asked_for
  left join site_watches watch on watch.site_key = asked_for.key
  left join lateral (
    select sum(amount) as total, null::numeric as low, null::numeric as high
    from minutes_in(asked_for.key, asked_for.series, asked_for.from_at, asked_for.to_at) stored
    where (asked_for.tier is null or stored.tier = asked_for.tier)
      and names_match(asked_for.operator, asked_for.names, stored.name)
      and not asked_for.by_minute
    union all
    select sum(amount), min(amount), max(amount)
    from (
      select minute.at, coalesce(sum(stored.amount), 0) as amount
      from generate_series(asked_for.from_at, asked_for.to_at - interval '1 minute', '1 minute') as minute(at)
      left join minutes_in(asked_for.key, asked_for.series, asked_for.from_at, asked_for.to_at) stored
        on stored.at = minute.at and (asked_for.tier is null or stored.tier = asked_for.tier)
      where asked_for.by_minute
      group by minute.at
    ) each
    having asked_for.by_minute
  ) summed on (summed.low is not null) = asked_for.by_minute
$$;

-- The minutes of a series in [from_at, to_at) that the hours' rows have.
create or replace function minutes_in(site integer, of_series integer, from_at timestamptz, to_at timestamptz)
returns table (tier smallint, name text, at timestamptz, amount bigint)
language sql stable rows 60 as $$
  select stored.tier, stored.name, stored.hour + item.minute * interval '1 minute', item.amount
  from site_minutes stored
  cross join lateral unpack_minutes(stored.packed) item
  where stored.site_key = site
    and stored.series = of_series
    and stored.hour >= date_trunc('hour', from_at, 'UTC')
    and stored.hour < to_at
    and stored.hour + item.minute * interval '1 minute' >= from_at
    and stored.hour + item.minute * interval '1 minute' < to_at
$$;

-- The entries of windows of environments, by service and operation: of parts that aren't summed yet, minutes, and
-- whole hours (span_sums in lib/telemetry/span-sums.ts). histogram: {bucket: entries}. first_at: the first hour with
-- spans at all. By the primary keys of span_minutes and span_hours: one row an operation and status in each minute at
-- a window's edge and each hour within.
create or replace function sum_environment_minutes(asked jsonb)
returns table (
  n integer, entries double precision, errors double precision, buckets jsonb, first_at timestamptz, is_alive boolean
)
language sql stable set jit = off as $$
  select
    asked_for.n, coalesce(summed.entries, 0)::double precision, coalesce(summed.errors, 0)::double precision,
    summed.buckets,
    (select minute from span_hours where environment_key = asked_for.key order by minute limit 1),
    coalesce(summed.is_alive, false)
  from windows_of(asked) asked_for
  left join lateral (
    with part as materialized (
      select entry and (asked_for.service is null or service = asked_for.service)
        and (asked_for.operation is null or operation = asked_for.operation) as is_asked,
        spans, status, buckets, counts
      from spans_in(asked_for.key, asked_for.from_at, asked_for.to_at)
    )
    select
      sum(spans) filter (where is_asked) as entries,
      sum(spans) filter (where is_asked and status = 2) as errors,
      count(*) > 0 as is_alive,
      case
        when asked_for.by_minute then (
          select jsonb_object_agg(bucket, held)
          from (
            select cell.bucket, sum(cell.count) as held
            from part cross join unnest(part.buckets, part.counts) as cell(bucket, count)
            where part.is_asked
            group by cell.bucket
          ) cells
        )
      end as buckets
    from part
  ) summed on true
$$;

create or replace function spans_in(environment integer, from_at timestamptz, to_at timestamptz)
returns table (
  service text, operation text, entry boolean, status smallint, spans integer, buckets smallint[], counts integer[]
)
language sql stable rows 100 as $$
  select service, operation, entry, status, spans, buckets, counts
  from span_parts
  where environment_key = environment and minute >= from_at and minute < to_at
  union all
  select service, operation, entry, status, spans, buckets, counts
  from span_minutes
  where environment_key = environment
    and minute >= from_at
    and minute < least(to_at, greatest(from_at, date_trunc('hour', from_at + interval '59 minutes', 'UTC')))
  union all
  select service, operation, entry, status, spans, buckets, counts
  from span_hours
  where environment_key = environment
    and minute >= date_trunc('hour', from_at + interval '59 minutes', 'UTC')
    and minute < date_trunc('hour', to_at, 'UTC')
  union all
  select service, operation, entry, status, spans, buckets, counts
  from span_minutes
  where environment_key = environment
    and minute >= greatest(
      date_trunc('hour', to_at, 'UTC'), date_trunc('hour', from_at + interval '59 minutes', 'UTC')
    )
    and minute < to_at
$$;

-- Deletes up to `max_rows` changes that are over 90 days old, by alert_changes_at; returns how many.
create or replace function forget_alert_changes(instant timestamptz, max_rows integer) returns integer
language sql as $$
  with gone as (
    delete from alert_changes
    where ctid = any (
      array(
        select ctid
        from alert_changes
        where at < trusted_instant(instant) - interval '90 days'
        order by at
        limit max_rows
      )
    )
    returning 1
  )
  select count(*)::integer from gone
$$;

-- How many outcomes of a type each window has, counted up to 100,000. By outcomes_time.
create or replace function count_window_outcomes(asked jsonb) returns table (n integer, total double precision)
language sql stable as $$
  select asked_for.n, counted.total::double precision
  from windows_of(asked) asked_for
  cross join lateral (
    select count(*) as total
    from (
      select
      from outcomes
      where environment_key = asked_for.key
        and occurred_at >= asked_for.from_at
        and occurred_at < asked_for.to_at
        and (asked_for.names is null or type = any (asked_for.names))
      limit 100000
    ) some_outcomes
  ) counted
$$;

-- How many log records of each window match, of the newest 20,000 of it. `operation` is a text, `tier` the least
-- severity. By the primary key of logs; of errors by logs_severe.
create or replace function count_window_logs(asked jsonb) returns table (n integer, total double precision)
language sql stable as $$
  select
    asked_for.n,
    coalesce((select sum((cell ->> 2)::bigint) from jsonb_array_elements(counted.counts) as cell), 0)::double precision
  from windows_of(asked) asked_for
  cross join lateral (
    select resources_asked_for(asked_for.key, asked_for.service, null::text[]) as found
  ) resources
  left join lateral count_newest_logs(
    asked_for.key,
    (extract(epoch from asked_for.from_at) * 1000000000)::bigint,
    (extract(epoch from asked_for.to_at) * 1000000000)::bigint,
    1000000000000, 20000, coalesce(asked_for.tier, 0) >= 17, asked_for.tier::smallint, null, resources.found,
    log_query(asked_for.operation), null
  ) counted on resources.found is distinct from '{}'
$$;

-- When something of each window's service, or of its environment, was received last. By the keys of connections and
-- receipts.
create or replace function last_received_in(asked jsonb) returns table (n integer, at timestamptz)
language sql stable as $$
  select
    asked_for.n,
    greatest(
      (
        select max(last_received_at)
        from telemetry_connections c
        where c.environment_key = asked_for.key and (asked_for.service is null or c.service = asked_for.service)
      ),
      (
        select max(received_at)
        from telemetry_receipts r
        where r.environment_key = asked_for.key and (asked_for.service is null or r.service = asked_for.service)
      )
    )
  from windows_of(asked) asked_for
$$;

-- How many groups of errors were made (series 1) or returned (series 2) in each window, by the service's clock. By the
-- indexes error_groups_noted and error_groups_returned.
create or replace function count_window_errors(asked jsonb) returns table (n integer, total double precision)
language sql stable as $$
  select asked_for.n, count(counted)::double precision
  from windows_of(asked) asked_for
  left join lateral errors_in(
    asked_for.key, asked_for.series, asked_for.service, asked_for.from_at, asked_for.to_at
  ) counted on true
  group by asked_for.n
$$;

create or replace function errors_in(
  environment integer, series integer, of_service text, from_at timestamptz, to_at timestamptz
)
returns setof error_groups
language sql stable rows 5 as $$
  select *
  from error_groups
  where environment_key = environment and series = 1 and noted_at >= from_at and noted_at < to_at
    and state <> 'ignored' and (of_service is null or service = of_service)
  union all
  select *
  from error_groups
  where environment_key = environment and series = 2 and returned_at >= from_at and returned_at < to_at
    and state <> 'ignored' and (of_service is null or service = of_service)
$$;

-- The groups themselves, up to three, the most frequent first: what a title is made of
-- (lib/telemetry/errors/error-title.ts), and how often each occurred since the hour in which the
-- window begins.
create or replace function error_movers(asked jsonb) returns table (n integer, movers jsonb)
language sql stable as $$
  select
    asked_for.n,
    (
      select jsonb_agg(
        jsonb_build_object(
          'type', type, 'cause', cause, 'location', location, 'template', template, 'change', occurrences
        ) order by occurrences desc, id
      )
      from (
        select of_window.*, counted.occurrences
        from errors_in(
          asked_for.key, asked_for.series, asked_for.service, asked_for.from_at, asked_for.to_at
        ) of_window
        cross join lateral (
          select coalesce(sum(occurrences), 0) as occurrences
          from error_hours
          where environment_key = of_window.environment_key and id = of_window.id
            and hour >= date_trunc('hour', asked_for.from_at, 'UTC')
        ) counted
        order by occurrences desc, id
        limit 3
      ) most
    )
  from windows_of(asked) asked_for
$$;

-- What changed most in each window of a site against the same length of time before it: visits by source, country and
-- entry page. Up to three, the greatest change first, of at least 5 visits: a message keeps the value after a visitor
-- is erased, so it names none that few visits had.
create or replace function site_movers(asked jsonb) returns table (n integer, movers jsonb)
language sql stable as $$
  select
    asked_for.n,
    (
      select jsonb_agg(jsonb_build_object('dimension', dimension, 'value', name, 'change', change) order by rank)
      from (
        select dimension, name, change, row_number() over (order by abs(change) desc, name) as rank
        from (
          select
            named.dimension, minute.name,
            sum(case when minute.at >= asked_for.from_at then minute.amount else -minute.amount end) as change
          from (values (7, 'source'), (9, 'country'), (11, 'entry_page')) as named(series, dimension)
          cross join lateral minutes_in(
            asked_for.key, named.series, asked_for.from_at - (asked_for.to_at - asked_for.from_at), asked_for.to_at
          ) minute
          group by named.dimension, minute.name
          having abs(sum(case when minute.at >= asked_for.from_at then minute.amount else -minute.amount end)) >= 5
        ) changes
      ) ranked
      where rank <= 3
    )
  from windows_of(asked) asked_for
$$;

-- The same of an environment: failed entries by operation (by_minute: all entries).
create or replace function environment_movers(asked jsonb) returns table (n integer, movers jsonb)
language sql stable as $$
  select
    asked_for.n,
    (
      select jsonb_agg(jsonb_build_object('dimension', 'operation', 'value', name, 'change', change) order by rank)
      from (
        select name, change, row_number() over (order by abs(change) desc, name) as rank
        from (
          select part.service || ' ' || part.operation as name, sum(part.sign * part.spans) as change
          from (
            select 1 as sign, *
            from spans_in(asked_for.key, asked_for.from_at, asked_for.to_at)
            union all
            select -1, *
            from spans_in(
              asked_for.key, asked_for.from_at - (asked_for.to_at - asked_for.from_at), asked_for.from_at
            )
          ) part
          where part.entry
            and (asked_for.service is null or part.service = asked_for.service)
            and (asked_for.by_minute or part.status = 2)
          group by 1
          having sum(part.sign * part.spans) <> 0
        ) changes
      ) ranked
      where rank <= 3
    )
  from windows_of(asked) asked_for
$$;
