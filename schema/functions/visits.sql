-- Returns whether an event shows that somebody was on the site. A custom event from a server doesn't. At tier 1 only a
-- page view does.
create or replace function is_seen(
  counted boolean, continued boolean, entry_page integer, custom_events integer[], consent_page integer
)
returns boolean
language sql immutable parallel safe as $$
  select counted or entry_page is not null or (continued and custom_events is not null) or consent_page is not null
$$;

-- For the code of the last release, which has no page of consent.
create or replace function is_seen(counted boolean, continued boolean, entry_page integer, custom_events integer[])
returns boolean
language sql immutable parallel safe as $$
  select is_seen(counted, continued, entry_page, custom_events, null)
$$;

-- Returns whether a visit has no second page view and no interaction. A custom event that isn't an interaction says so
-- in its data.
create or replace function is_bounce(later_pages integer[], custom_events integer[], event_data jsonb) returns boolean
language sql immutable parallel safe as $$
  select later_pages is null
    and coalesce(cardinality(custom_events), 0) = 2 * coalesce(
      jsonb_array_length(jsonb_path_query_array(event_data, '$[*] ? (@.interactive == false)')),
      0
    )
$$;

-- The instant at these milliseconds after the visit's beginning.
create or replace function visit_time(started_at timestamptz, ms integer) returns timestamptz
language sql stable parallel safe as $$
  select started_at + coalesce(ms, 0) * interval '1 millisecond'
$$;

-- Milliseconds limited to the range of their column, 24.8 days. Null stays null.
create or replace function most_ms(ms bigint) returns integer
language sql immutable parallel safe as $$
  select case when ms > 2147483647 then 2147483647 else ms end::integer
$$;

-- The milliseconds between two instants.
create or replace function ms_between(earlier timestamptz, later timestamptz) returns integer
language sql immutable parallel safe as $$
  select most_ms(round(extract(epoch from later - earlier) * 1000)::bigint)
$$;

-- The longest time before an event in which its visit is searched. `duration_ms` can't hold much more.
create or replace function longest_visit() returns interval
language sql immutable parallel safe as $$
  select interval '24 days'
$$;

-- A visit keeps its first 500 page views, its first 500 custom events, the first 500 page views with properties, and
-- the first 32 KiB of properties of each kind; the rollups count all. This bounds what each further event of an
-- endless visit costs.
create or replace function kept_hits() returns integer
language sql immutable parallel safe as $$
  select 500
$$;
create or replace function kept_property_bytes() returns integer
language sql immutable parallel safe as $$
  select 32768
$$;

-- The pairs of visits.later_pages and visits.custom_events as rows. `offset 0` keeps the planner from merging the
-- concatenation into the caller: the stored array is then unpacked once, not once for each element.
create or replace function hits_of(pairs integer[]) returns table (ms integer, text_id integer)
language sql immutable parallel safe rows 3 as $$
  select flat[n], flat[n + 1]
  from (select pairs || '{}' offset 0) as p(flat), generate_series(1, cardinality(flat), 2) as n
$$;

-- The custom events of a visit with their properties and revenue.
create or replace function events_of(pairs integer[], event_data jsonb)
returns table (ms integer, text_id integer, data jsonb)
language sql immutable parallel safe rows 3 as $$
  select flat[n], flat[n + 1], nullif(doc -> (n / 2), 'null'::jsonb)
  from (select pairs || '{}', event_data || '[]' offset 0) as p(flat, doc),
    generate_series(1, cardinality(flat), 2) as n
$$;

-- visits.vitals of a vitals event alone; null if it brought none.
create or replace function load_of_event(path_id integer, data jsonb) returns integer[]
language sql immutable parallel safe as $$
  select case when data ?| array['lcp', 'inp', 'cls', 'fcp', 'ttfb'] then array[
    0, path_id, round((data ->> 'lcp')::numeric * 10)::integer, round((data ->> 'inp')::numeric * 10)::integer,
    round((data ->> 'cls')::numeric * 10000)::integer, round((data ->> 'fcp')::numeric * 10)::integer,
    round((data ->> 'ttfb')::numeric * 10)::integer
  ] end
$$;

-- The page loads of visits.vitals as rows.
create or replace function loads_of(vitals integer[])
returns table (ms integer, path_id integer, lcp integer, inp integer, cls integer, fcp integer, ttfb integer)
language sql immutable parallel safe rows 2 as $$
  select flat[n], flat[n + 1], flat[n + 2], flat[n + 3], flat[n + 4], flat[n + 5], flat[n + 6]
  from (select vitals || '{}' offset 0) as p(flat), generate_series(1, cardinality(flat), 7) as n
$$;

-- The texts that a visit names.
drop function if exists texts_of_visit(integer, integer, integer[], integer[]);
create or replace function texts_of_visit(
  consent_page integer, entry_page integer, later_pages integer[], custom_events integer[], vitals integer[]
)
returns table (text_id integer)
language sql immutable parallel safe rows 4 as $$
  select consent_page
  where consent_page is not null
  union all
  select entry_page
  where entry_page is not null
  union all
  select text_id
  from hits_of(later_pages)
  union all
  select text_id
  from hits_of(custom_events)
  union all
  select path_id
  from loads_of(vitals)
$$;

-- The page views of a visit that have properties, with these.
create or replace function page_data_of(page_data jsonb) returns table (ms integer, data jsonb)
language sql immutable parallel safe rows 3 as $$
  select (page.data ->> 'ms')::integer, page.data - 'ms' from jsonb_array_elements(page_data) as page(data)
$$;

-- Makes the partition of `events` (a UTC day), `visits` or `associations` (a UTC month) for the instant, unless it
-- exists.
create or replace function ensure_partition(parent text, instant timestamptz) returns void
language plpgsql as $$
declare
  unit constant text := case
    when parent = 'events' then 'day'
    when parent in ('visits', 'associations') then 'month'
  end;
  lower_bound constant timestamptz := date_trunc(unit, instant, 'UTC');
  upper_bound constant timestamptz := date_trunc(
    unit,
    lower_bound + ('1 ' || unit)::interval + interval '12 hours',
    'UTC'
  );
  partition constant text := parent || '_' || to_char(lower_bound at time zone 'UTC', 'YYYYMMDD');
begin
  if to_regclass(partition) is not null then
    return;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('partition ' || parent, 0));
  -- Each further event of a visit leaves a dead row; the next visits reuse its room.
  execute format(
    'create table if not exists %I partition of %I for values from (%L) to (%L) %s',
    partition, parent, lower_bound, upper_bound,
    case parent when 'visits' then 'with (autovacuum_vacuum_scale_factor = 0.02)' end
  );
end
$$;

-- Partitions for the present and the next three days; run by a cron, and by `ingest_events` for what is missing.
create or replace function ensure_partitions(instant timestamptz) returns void
language sql as $$
  select ensure_partition('events', instant + day * interval '1 day') from generate_series(-1, 3) as day;
  select ensure_partition('visits', instant + day * interval '1 day') from generate_series(-1, 3) as day;
  select ensure_partition('associations', instant + day * interval '1 day') from generate_series(-1, 3) as day;
$$;
