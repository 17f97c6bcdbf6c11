-- Sums of sealed days for filters (schema/migrations/0054-site-filters.sql). A day is summed for a filter after it
-- was sealed for good, so that what a late event breaks, it breaks for filters too: their sums name the seal that
-- they are of.

-- How many filters of a site are remembered.
create or replace function most_filters() returns integer
language sql immutable parallel safe as $$
  select 200
$$;

-- Whether the visits of a site are enough to make sums of filters worth it: 7,000 in a week. Fewer are read
-- fast. By the primary key of rollup_hours.
create or replace function has_many_visits(of_site integer, instant timestamptz) returns boolean
language sql stable as $$
  select coalesce(sum(visits), 0) >= 7000
  from rollup_hours
  where site_key = of_site and hour >= instant - interval '8 days'
$$;

-- Notes that a filter of a site was asked. Returns its id if sums of it are kept. Null: they aren't, since they are
-- too large or the site has few visits.
create or replace function note_filter(of_site uuid, asked jsonb, instant timestamptz) returns uuid
language plpgsql as $$
declare
  site integer;
  filter uuid;
  is_kept boolean;
begin
  instant := trusted_instant(instant);
  select key into site from sites where id = of_site;
  if site is null or not has_many_visits(site, instant) then
    return null;
  end if;
  asked := meant_clauses(site, asked);
  perform pg_advisory_xact_lock(hashtextextended('filters ' || site, 0));
  insert into site_filters as known (site_key, clauses, asked_on, asked_days)
  values (site, asked, (instant at time zone 'UTC')::date, 1)
  on conflict (site_key, md5(clauses::text)) do update set
    asked_on = greatest(known.asked_on, excluded.asked_on),
    asked_days = known.asked_days + (known.asked_on < excluded.asked_on or known.asked_days = 0)::integer
  returning id, kept into filter, is_kept;
  delete from site_filters
  where site_key = site
    and id in (
      select id
      from site_filters
      where site_key = site
      order by asked_on desc, asked_days desc, (id = filter) desc
      offset most_filters()
    );
  return case when is_kept then filter end;
end
$$;

-- Proposes the commonest values of a site as filters: up to three of a dimension, each with at least a twentieth of
-- the visits. Reads the newest block of 7 days.
create or replace function propose_filters(of_site integer, today date) returns void
language sql as $$
  insert into site_filters as known (site_key, clauses, asked_on)
  select
    of_site,
    jsonb_build_array(jsonb_build_object('dimension', name, 'operator', 'is', 'wanted', array[value])),
    today
  from (
    select
      d.name, t.value, v.visits, sum(v.visits) over (partition by d.name) as all_visits,
      row_number() over (partition by d.name order by v.visits desc) as position
    from rollup_values r
    join dimensions d on d.number = r.dimension
      and d.name in ('device', 'browser', 'os', 'country', 'source', 'channel')
    cross join lateral (
      select value, visits_1 + visits_2 + visits_3 as visits
      from unnest(r.value, r.visits_1, r.visits_2, r.visits_3) as u(value, visits_1, visits_2, visits_3)
    ) v
    join site_texts t on t.site_key = of_site and t.id = v.value and t.id > 0
    where r.site_key = of_site
      and r.span = 7
      and r.bucket = (select max(bucket) from sealed_days where site_key = of_site and span = 7 and ready)
  ) common
  where position <= 3 and visits >= all_visits / 20
  order by visits desc
  limit most_filters() / 4
  on conflict (site_key, md5(clauses::text)) do update set asked_on = greatest(known.asked_on, excluded.asked_on)
$$;

-- Proposes the commonest values of a site with many visits, and decides which filters have sums: those that spare
-- most reading for their size, as long as together they take at most a tenth of what the visits take. A filter whose
-- size isn't known is tried. Forgets filters that nobody asked for 30 days. The sums of others are deleted.
create or replace function choose_filters(of_site integer, instant timestamptz) returns void
language plpgsql as $$
declare
  today constant date := (trusted_instant(instant) at time zone 'UTC')::date;
begin
  perform pg_advisory_xact_lock(hashtextextended('filters ' || of_site, 0));
  delete from site_filters where site_key = of_site and asked_on < today - 30;
  if has_many_visits(of_site, instant) then
    perform propose_filters(of_site, today);
  end if;
  update site_filters f
  set kept = chosen.kept
  from (
    select
      id,
      size is null
        or sum(size) over (order by share * (asked_days + 1) / nullif(size, 0) desc, id) <= 0.1 as kept
    from site_filters
    where site_key = of_site
  ) chosen
  where f.site_key = of_site and f.id = chosen.id and f.kept <> chosen.kept;
  delete from filter_seals s
  where s.site_key = of_site
    and not exists (select from site_filters f where f.site_key = of_site and f.id = s.filter and f.kept);
  delete from filter_seals s
  where s.site_key = of_site
    and not exists (
      select
      from sealed_days d
      where d.site_key = of_site and d.span = s.span and d.bucket = s.bucket and d.seal = s.seal
    );
  delete from filter_values v
  where v.site_key = of_site
    and not exists (
      select
      from filter_seals s
      where s.site_key = of_site and s.filter = v.filter and s.span = v.span and s.bucket = v.bucket
    );
end
$$;

-- Up to `max_sites` sites that have filters, or whose commonest values weren't proposed for a day; those that waited
-- longest first. Notes that they have had their turn.
create or replace function sites_with_filters(instant timestamptz, max_sites integer)
returns table (site_key integer)
language sql as $$
  update site_seals s
  set filters_at = trusted_instant(instant)
  from (
    select d.site_key
    from site_seals d
    where d.sealed_to is not null
      and (
        coalesce(d.filters_at, '-infinity') < instant - interval '1 day'
          or d.filters_at < instant
            and exists (select from site_filters f where f.site_key = d.site_key)
      )
    order by d.filters_at nulls first
    limit max_sites
  ) due
  where s.site_key = due.site_key
  returning s.site_key
$$;

-- Up to `max_days` days that a filter has no sums of, though they were sealed for good; the newest first, and before
-- them a first day of each filter whose size isn't known. Null: of all filters of a site.
create or replace function days_of_filter(of_site integer, of_filter uuid, max_days integer)
returns table (filter uuid, day date)
language sql stable as $$
  select f.id, d.bucket
  from site_filters f
  join sites on sites.key = f.site_key
  join sealed_days d on d.site_key = f.site_key and d.span = 1 and d.ready
  left join filter_seals s on s.site_key = f.site_key
    and s.filter = f.id
    and s.span = 1
    and s.bucket = d.bucket
    and s.seal = d.seal
  where f.site_key = of_site
    and f.kept
    and (of_filter is null or f.id = of_filter)
    and s.seal is null
    and d.until = day_start(d.bucket + 1, sites.timezone)
    and not exists (select from open_visits o where o.site_key = of_site and o.day = d.bucket)
    and not exists (select from imported_days i where i.site_key = of_site and i.day = d.bucket)
  order by f.size is not null, d.bucket desc, f.asked_days desc, f.id
  limit max_days
$$;

-- Sums up a day for a filter. False: nothing was done, because the day isn't sealed for good or another call sums up
-- a day of the site.
create or replace function seal_filter(of_site integer, of_filter uuid, of_day date) returns boolean
language plpgsql set jit = off set work_mem = '16MB' set plan_cache_mode = force_generic_plan as $$
declare
  day record;
  masks filter_masks;
  of_seal uuid;
begin
  if not pg_try_advisory_xact_lock(hashtextextended('filter ' || of_site, 0))
    or not exists (select from days_of_filter(of_site, of_filter, 100000) d where d.day = of_day)
  then
    return false;
  end if;
  select seal into of_seal from sealed_days where site_key = of_site and span = 1 and bucket = of_day;
  select * into day from day_of_seal(of_site, of_day);
  select m.* into masks
  from site_filters cross join masks_of_filter(of_site, clauses) m
  where site_key = of_site and id = of_filter;
  perform write_filter(of_site, of_filter, of_day, day.zone, day.start_at, day.end_at, day.until_at, masks);
  perform measure_filter(of_site, of_filter, of_day, day.start_at, day.until_at);
  -- A fold that changed a visit of the day meanwhile has broken its seal.
  insert into filter_seals as known (site_key, filter, span, bucket, seal, measured, bounces, duration_ms)
  select of_site, of_filter, 1, of_day, seal, m.*
  from sealed_days cross join measures_of_seal(of_site, of_day, day.start_at, day.until_at, masks) m
  where site_key = of_site and span = 1 and bucket = of_day and seal = of_seal
  on conflict (site_key, filter, span, bucket) do update set
    seal = excluded.seal, measured = excluded.measured, bounces = excluded.bounces,
    duration_ms = excluded.duration_ms;
  if not found then
    return false;
  end if;
  perform merge_filter(of_site, of_filter, 7, block_start(of_day, 7));
  perform merge_filter(of_site, of_filter, 28, block_start(of_day, 28));
  return true;
end
$$;

-- Writes what a day has of the visits that a filter keeps.
create or replace function write_filter(
  of_site integer, of_filter uuid, of_day date, zone text, start_at timestamptz, end_at timestamptz,
  until_at timestamptz, masks filter_masks
)
returns void
language plpgsql as $$
begin
  delete from filter_values where site_key = of_site and filter = of_filter and span = 1 and bucket = of_day;
  insert into filter_values (
    filter, site_key, bucket, span, dimension, value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3,
    visitors_2, visitors_3, gap_value, gap_tier, gap, returned, resumed
  )
  select
    of_filter, of_site, of_day, 1, dimension, value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2,
    visitors_3, gap_value, gap_tier, gap, returned, resumed
  from packed_sums(of_site, of_day, zone, start_at, end_at, until_at, false, masks);
end
$$;

-- Notes the share and the size of a filter by its first day. The blocks of 7 and 28 days add less than half.
create or replace function measure_filter(
  of_site integer, of_filter uuid, of_day date, start_at timestamptz, until_at timestamptz
)
returns void
language plpgsql as $$
begin
  update site_filters f
  set
    share = (
      select coalesce(sum(visits_1[1] + visits_2[1] + visits_3[1]), 0)
      from filter_values
      where site_key = of_site
        and filter = of_filter
        and span = 1
        and bucket = of_day
        and dimension = dimension_number('total')
    )::real
    / v.visits,
    size = 1.5 * (
      select coalesce(sum(pg_column_size(r)), 0)
      from filter_values r
      where site_key = of_site and filter = of_filter and span = 1 and bucket = of_day
    )::real
    / v.bytes
  from (
    select count(*) filter (where counted) as visits, sum(pg_column_size(v)) as bytes
    from closed_visits(of_site, of_day, start_at, until_at) v
  ) v
  where f.site_key = of_site and f.id = of_filter and f.size is null and v.visits > 0;
end
$$;

-- Of the counted visits of tier 3 that began in a day and that a filter keeps: how many, how many were left after one
-- page view, and how long they lasted together.
create or replace function measures_of_seal(
  of_site integer, of_day date, start_at timestamptz, until_at timestamptz, kept filter_masks, out measured integer,
  out bounces integer, out duration_ms bigint
)
language plpgsql stable as $$
begin
  select
    count(*)::integer, (count(*) filter (where is_bounce(later_pages, custom_events, event_data)))::integer,
    coalesce(sum(v.duration_ms), 0)::bigint
  into measured, bounces, duration_ms
  from closed_visits(of_site, of_day, start_at, until_at) v
  where started_at >= start_at
    and counted
    and tier = 3
    and is_kept(
      kept, tier, counted, profile_id, place_id, origin_id, entry_page, later_pages, custom_events, event_data,
      page_data
    );
end
$$;

-- Makes a filter's block of 7 or 28 days of the smaller ones in it, if it has all of them and the block is sealed.
create or replace function merge_filter(of_site integer, of_filter uuid, of_span integer, of_bucket date) returns void
language plpgsql set jit = off as $$
declare
  part constant smallint := block_parts(of_span);
  parts record;
begin
  select count(*) as number, sum(measured) as measured, sum(bounces) as bounces, sum(duration_ms) as duration_ms
  into parts
  from filter_seals f
  join sealed_days d using (site_key, span, bucket, seal)
  where f.site_key = of_site
    and f.filter = of_filter
    and f.span = part
    and f.bucket >= of_bucket
    and f.bucket < of_bucket + of_span;
  if parts.number < of_span / part then
    return;
  end if;
  delete from filter_values where site_key = of_site and filter = of_filter and span = of_span and bucket = of_bucket;
  insert into filter_values (
    filter, site_key, bucket, span, dimension, value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3,
    visitors_2, visitors_3, gap_value, gap_tier, gap, returned, resumed
  )
  select of_filter, of_site, of_bucket, of_span, v.*
  from merged_values(of_site, of_filter, of_span, part, of_bucket) v;
  insert into filter_seals as known (site_key, filter, span, bucket, seal, measured, bounces, duration_ms)
  select of_site, of_filter, of_span, of_bucket, seal, parts.measured, parts.bounces, parts.duration_ms
  from sealed_days
  where site_key = of_site and span = of_span and bucket = of_bucket and ready
  on conflict (site_key, filter, span, bucket) do update set
    seal = excluded.seal, measured = excluded.measured, bounces = excluded.bounces,
    duration_ms = excluded.duration_ms;
end
$$;
