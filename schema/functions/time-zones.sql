-- Changes the time zone of a site: what is kept by days and hours is cut anew (docs/sites.md#change-the-time-zone).

-- The hour of `zone` that takes over what was counted in an hour of another zone.
create or replace function shifted_hour(at timestamptz, from_zone text, zone text) returns timestamptz
language sql immutable parallel safe as $$
  select local_hour(local_hour(at, from_zone), zone)
$$;

-- What rollup_hours counts of a site's visits: page views where they happened, and visits where they began.
create or replace function counted_moments(of_site integer)
returns table (
  at timestamptz, tier smallint, pageviews integer, visits integer, measured integer, bounces integer,
  duration_ms integer
)
language sql stable as $$
  select visit_time(started_at, entry_ms), tier, 1, 0, 0, 0, 0
  from visits
  where site_key = of_site and profile_id > 0 and entry_page is not null
  union all
  select started_at + page.ms * interval '1 millisecond', tier, 1, 0, 0, 0, 0
  from visits cross join hits_of(later_pages) as page
  where site_key = of_site and profile_id > 0
  union all
  select
    started_at, tier, 0, 1, (tier = 3)::integer,
    (tier = 3 and is_bounce(later_pages, custom_events, event_data))::integer,
    case when tier = 3 then coalesce(duration_ms, 0) else 0 end
  from visits
  where site_key = of_site and profile_id > 0 and counted
$$;

-- Moves the sums of hours to the hours of another zone. Where these begin at other minutes, an hour goes as a whole to
-- the hour in which it began, and then each page view and visit that belongs to the next one is moved. So the totals
-- stay, also those of visits with more page views than visits keep. Reads all visits of the site if hours move.
create or replace function shift_hours(of_site integer, from_zone text, zone text) returns void
language plpgsql as $$
declare
  moved rollup_hours[];
begin
  if not exists (select from rollup_hours where site_key = of_site and local_hour(hour, zone) <> hour) then
    return;
  end if;
  with gone as (
    delete from rollup_hours as row where site_key = of_site
    returning row
  )
  select array_agg(row)
  into moved
  from gone;
  insert into rollup_hours (site_key, hour, tier, pageviews, visits, measured, bounces, duration_ms)
  select of_site, hour, tier, sum(pageviews), sum(visits), sum(measured), sum(bounces), sum(duration_ms)
  from (
    select local_hour(hour, zone) as hour, tier, pageviews, visits, measured, bounces, duration_ms
    from unnest(moved)
    union all
    select
      case sign when 1 then local_hour(at, zone) else shifted_hour(at, from_zone, zone) end,
      tier, sign * pageviews, sign * visits, sign * measured, sign * bounces, sign * duration_ms
    from counted_moments(of_site) cross join (values (1), (-1)) as signs(sign)
    where local_hour(at, zone) <> shifted_hour(at, from_zone, zone)
  ) change
  group by hour, tier
  having sum(pageviews) <> 0 or sum(visits) <> 0 or sum(bounces) <> 0 or sum(duration_ms) <> 0;
end
$$;

-- Counts the visitors of a site's hours and days anew from its visits, as count_visitors does visit by visit. Reads
-- all visits of the site, and sorts them by visitor.
create or replace function recount_visitors(of_site integer, zone text) returns void
language plpgsql as $$
begin
  delete from rollup_visitors where site_key = of_site and unit in ('hour', 'day');
  insert into rollup_visitors (site_key, unit, bucket, tier, previous, visitors)
  with quarters as materialized (
    select quarter, local_hour(quarter, zone) as hour, local_day(quarter, zone) as day
    from site_freshness f
    cross join lateral generate_series(
      quarter_hour(f.first_event_at) - interval '1 day', f.last_event_at, '15 minutes'
    ) as quarter
    where f.site_key = of_site
  ),
  seen as (
    select v.tier, v.visitor_id, b.unit, b.bucket, max(v.started_at) as last_start
    from visits v
    join quarters q on q.quarter = quarter_hour(v.started_at)
    cross join lateral (values ('hour', q.hour), ('day', q.day)) as b(unit, bucket)
    where v.site_key = of_site
      and v.profile_id > 0
      and v.visitor_id is not null
      and is_seen(v.counted, v.continued, v.entry_page, v.custom_events, v.consent_page)
    group by v.tier, v.visitor_id, b.unit, b.bucket
  ),
  following as (
    select unit, bucket, tier, lag(bucket) over before as previous, lag(last_start) over before as last_start
    from seen
    window before as (partition by tier, visitor_id, unit order by bucket)
  )
  select
    of_site, unit, bucket, tier,
    case
      when previous is null
        or unit = 'hour' and previous < bucket - interval '48 hours'
        or last_start < local_day(bucket, zone) - case tier when 2 then interval '2 days' else interval '400 days' end
        then '-infinity'
      else previous
    end as known_previous,
    count(*)
  from following
  group by unit, bucket, tier, known_previous;
end
$$;

-- Moves a column of days to the same dates of another zone, for all rows of a site. In two steps, since a row may take
-- the instant of another one.
create or replace function shift_days(of_table regclass, day_column text, of_site integer, from_zone text, zone text)
returns void
language plpgsql as $$
begin
  execute format(
    'update %1$s set %2$I = %2$I + interval ''1000 years'' where site_key = $1',
    of_table, day_column
  ) using of_site;
  execute format(
    'update %1$s set %2$I = day_start(((%2$I - interval ''1000 years'') at time zone $2)::date, $3) '
      'where site_key = $1',
    of_table, day_column
  ) using of_site, from_zone, zone;
end
$$;

-- Cuts attention and vitals by the days of another zone. Days whose raw events are stored are summed again later, and
-- reports read the events until then. Earlier days keep their sums and their dates.
create or replace function shift_measures(of_site integer, from_zone text, zone text) returns void
language plpgsql set jit = off as $$
declare
  kept_to timestamptz;
begin
  select coalesce(max(ends_at), '-infinity')
  into kept_to
  from rollup_blocks
  where site_key = of_site and span = 1 and starts_at < (select raw_events_from());
  with gone as (
    delete from rollup_blocks
    where site_key = of_site and (span in (-1, 0) or ends_at > kept_to)
    returning span, starts_at
  ),
  emptied as (
    delete from rollup_engagement e using gone
    where e.site_key = of_site and e.span = gone.span and e.starts_at = gone.starts_at
  )
  delete from rollup_vitals v using gone
  where v.site_key = of_site and v.span = gone.span and v.starts_at = gone.starts_at;
  perform shift_days(of_table, day_column, of_site, from_zone, zone)
  from (
    values
      ('rollup_blocks', 'starts_at'), ('rollup_blocks', 'ends_at'), ('rollup_engagement', 'starts_at'),
      ('rollup_vitals', 'starts_at')
  ) as moved(of_table, day_column);
  if kept_to > '-infinity' then
    perform join_measures(of_site, kept_to, day_start((kept_to at time zone from_zone)::date, zone));
  end if;
end
$$;

-- Makes the hours at the seam between days that kept their sums and days that are summed again, so that nothing is
-- missing and nothing counts twice. `kept_to`: the end of what the kept sums have. `from_at`: the end of their last
-- day in the new zone. If it is earlier, the hours up to `kept_to` have nothing; if it is later, the first hour has
-- what came since `kept_to`. All of it is final: raw events are kept for 48 hours.
create or replace function join_measures(of_site integer, kept_to timestamptz, from_at timestamptz) returns void
language plpgsql as $$
declare
  first_hour timestamptz;
begin
  insert into rollup_blocks (site_key, span, starts_at, ends_at)
  select of_site, 0, hour, hour + interval '1 hour'
  from generate_series(from_at, kept_to - interval '1 hour', interval '1 hour') as hour;
  first_hour := from_at + greatest(interval '0', date_bin('1 hour', kept_to, from_at) - from_at);
  if first_hour = kept_to then
    return;
  end if;
  perform sum_blocks(
    of_site, 0::smallint, null, array[kept_to], array[first_hour + interval '1 hour'], 'infinity'
  );
  update rollup_blocks set starts_at = first_hour where site_key = of_site and span = 0 and starts_at = kept_to;
  update rollup_engagement set starts_at = first_hour where site_key = of_site and span = 0 and starts_at = kept_to;
  update rollup_vitals set starts_at = first_hour where site_key = of_site and span = 0 and starts_at = kept_to;
end
$$;

-- Deletes the sums of a site's sealed days, all but those of imported days, which have no visits. Reports read the
-- visits until the days are sealed again.
create or replace function unseal_site(of_site integer) returns void
language plpgsql as $$
declare
  imported constant date[] := array(select day from imported_days where site_key = of_site);
begin
  delete from sealed_days where site_key = of_site and (span > 1 or bucket <> all (imported));
  delete from rollup_values where site_key = of_site and (span > 1 or bucket <> all (imported));
  delete from rollup_revenue where site_key = of_site;
  delete from rollup_journeys where site_key = of_site;
  delete from rollup_props where site_key = of_site;
  delete from filter_seals where site_key = of_site;
  delete from filter_values where site_key = of_site;
  delete from open_visits where site_key = of_site;
  delete from seal_faults where site_key = of_site;
  update site_seals set sealed_to = null where site_key = of_site;
end
$$;

-- Moves imported days to the same dates of another zone. Their seals stay.
create or replace function shift_imports(of_site integer, from_zone text, zone text) returns void
language plpgsql as $$
begin
  perform shift_days('imported_days', 'starts_at', of_site, from_zone, zone);
  update imported_days
  set hours = round(extract(epoch from day_start(day + 1, zone) - starts_at) / 3600)
  where site_key = of_site;
  update sealed_days s
  set until = day_start(s.bucket + 1, zone)
  from imported_days d
  where s.site_key = of_site and s.span = 1 and d.site_key = of_site and d.day = s.bucket;
end
$$;

-- Makes `next_timezone` the zone of a site. Returns false if there is nothing to do, or if the site has more visits
-- than `max_visits`. Folds and seals of the site wait meanwhile. Reports are right before and after: they read the
-- visits of days that aren't sealed again yet. The cost grows with the site's visits.
create or replace function change_zone(site uuid, max_visits bigint, instant timestamptz) returns boolean
language plpgsql set jit = off as $$
declare
  changed record;
begin
  select key into changed from sites where id = site and next_timezone is not null;
  if changed.key is null
    or (select coalesce(sum(visits), 0) from rollup_hours where site_key = changed.key) > max_visits
  then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('seal ' || changed.key, 0));
  perform pg_advisory_xact_lock(hashtextextended(site::text, 0));
  select key, timezone as from_zone, next_timezone as zone
  into changed
  from sites
  where id = site and next_timezone is not null;
  if changed.key is null then
    return false;
  end if;
  perform uncount_imports(changed.key, null);
  perform unseal_site(changed.key);
  perform shift_hours(changed.key, changed.from_zone, changed.zone);
  perform recount_visitors(changed.key, changed.zone);
  perform shift_measures(changed.key, changed.from_zone, changed.zone);
  perform shift_days(day_table, 'day', changed.key, changed.from_zone, changed.zone)
  from unnest('{dropped_days,other_days}'::regclass[]) as day_table;
  perform shift_imports(changed.key, changed.from_zone, changed.zone);
  perform count_imports(changed.key, null);
  update sites
  set timezone = changed.zone, next_timezone = null, zone_changed_at = trusted_instant(instant)
  where key = changed.key;
  return true;
end
$$;
