-- The histogram bin of a value. A bin is 2 % wide, so `vital_value` is within 1 % of the value. Metrics are 0 lcp, 1
-- inp, 2 cls, 3 fcp and 4 ttfb; each has 2048 bins. The first bin is everything below 1e-6, the last begins at 1e7.
create or replace function vital_bin(metric integer, value double precision) returns smallint
language sql immutable parallel safe as $$
  select (
    metric * 2048 + case when value < 1e-6 then 0 else ceil(ln(least(value, 1e7)) / ln(1.02::float8)) + 1000 end
  )::smallint
$$;
create or replace function vital_value(bin integer) returns double precision
language sql immutable parallel safe as $$
  select case when bin % 2048 = 0 then 0 else power(1.02::float8, bin % 2048 - 1000) * 2 / 2.02 end
$$;
-- The consented page views of [after, before) with an engagement event at `since` or later. The columns `…_before`
-- count only events before `told_to`; they are null if there is none. An engagement event belongs to its visitor's
-- first view of its page from 6 hours before the event to 1 hour after it: a failed request is sent again, so the
-- view may arrive late. Seconds of a page view are added; its depth is the deepest scroll. Scans the raw events from
-- `since` on, and looks up each of their pages once in the index `events_pages`.
create or replace function attention_of(
  site integer, after timestamptz, before timestamptz, since timestamptz, told_to timestamptz
)
returns table (
  viewed_at timestamptz, path_id integer, engaged_ms bigint, scroll_depth integer, engaged_ms_before bigint,
  scroll_depth_before integer
)
language sql stable as $$
  select
    'epoch'::timestamptz + view[1] * interval '1 millisecond',
    view[2]::integer, sum(seen.engaged_ms)::bigint,
    round(max(seen.scroll_depth)::numeric * 10)::integer,
    sum(seen.engaged_ms) filter (where occurred_at < told_to)::bigint,
    round(max(seen.scroll_depth) filter (where occurred_at < told_to)::numeric * 10)::integer
  from (
    select
      e.kind, e.visitor_id, e.page_id, e.occurred_at, e.engaged_ms, e.scroll_depth,
      min(
        case when e.kind = 1 then array[round(extract(epoch from e.occurred_at) * 1000)::bigint, e.path_id] end
      ) over (
        partition by e.visitor_id, e.page_id
        order by e.occurred_at range between interval '6 hours' preceding and interval '1 hour' following
      ) as view
    from (
      select distinct t.page_id
      from events t
      where t.site_key = site
        and t.kind >= 0
        and t.kind in (1, 3)
        and t.tier = 3
        and t.page_id is not null
        and t.occurred_at >= greatest(since, after)
        and t.occurred_at < case when since > after then before + interval '6 hours' else before end
        and (t.kind = 1 or since > after)
    ) page
    cross join lateral (
      select *
      from events r
      where r.site_key = site
        and r.page_id = page.page_id
        and r.kind in (1, 3)
        and r.tier = 3
        and r.occurred_at >= after - interval '7 hours'
        and r.occurred_at < before + interval '7 hours'
      offset 0
    ) e
  ) seen
  where kind = 3 and view[1] >= extract(epoch from after) * 1000 and view[1] < extract(epoch from before) * 1000
  group by visitor_id, page_id, view
$$;

-- The consented page loads of [after, before) that reported vitals. Each load has one row with the bin -1, and one row
-- for each reported value. `path_id` is the path in the vitals event. Scans the raw events of [after, before).
create or replace function vitals_of(site integer, after timestamptz, before timestamptz)
returns table (told_at timestamptz, path_id integer, bin smallint)
language sql stable as $$
  select
    e.occurred_at, e.path_id,
    case when vital.metric < 0 then -1::smallint else vital_bin(vital.metric, vital.value) end
  from events e
  cross join lateral (
    values
      (-1, 0), (0, (e.data ->> 'lcp')::float8), (1, (e.data ->> 'inp')::float8), (2, (e.data ->> 'cls')::float8),
      (3, (e.data ->> 'fcp')::float8), (4, (e.data ->> 'ttfb')::float8)
  ) as vital(metric, value)
  where e.site_key = site
    and e.kind >= 0
    and e.kind = 4
    and e.tier = 3
    and e.occurred_at >= after
    and e.occurred_at < before
    and e.data ?| array['lcp', 'inp', 'cls', 'fcp', 'ttfb']
    and vital.value is not null
$$;
-- The hours without final sums, from the site's first day with raw events to `until`. With `cut`, the last hour ends
-- at `until`; without it, only hours that are over at `until` are returned.
create or replace function unsummed_hours(site integer, zone text, until timestamptz, cut boolean)
returns table (starts_at timestamptz, ends_at timestamptz)
language sql stable as $$
  select hour.starts_at, least(hour.ends_at, until)
  from (
    select day_start(day::date, zone) as starts_at, day_start(day::date + 1, zone) as ends_at
    from generate_series(
      (
        select (min(e.occurred_at) at time zone zone)::date
        from events e
        where e.site_key = site and e.kind >= 0
      )::timestamp,
      (until at time zone zone)::date::timestamp,
      interval '1 day'
    ) as day
  ) days
  cross join lateral (
    select starts_at, least(starts_at + interval '1 hour', days.ends_at) as ends_at
    from generate_series(days.starts_at, days.ends_at - interval '1 second', interval '1 hour') as starts_at
  ) hour
  where case when cut then hour.starts_at < until else hour.ends_at <= until end
    and not exists (
      select
      from rollup_blocks b
      where b.site_key = site and b.span = 0 and b.starts_at = hour.starts_at
    )
    and not exists (
      select
      from rollup_blocks b
      where b.site_key = site and b.span = 1 and b.starts_at = days.starts_at
    )
  order by 1
$$;

-- End of the last hour whose sums are final at `instant`. A page view gets events for 6 hours, and these may arrive 5
-- minutes late.
create or replace function last_final_end(instant timestamptz) returns timestamptz
language sql immutable as $$
  select instant - interval '6 hours 5 minutes'
$$;

-- The first instant from which all raw events are still stored.
create or replace function raw_events_from() returns timestamptz
language sql stable as $$
  select since from raw_events_kept
$$;

-- Writes the sums of a site: the final ones, and the provisional ones of span -1. Waits for a fold of the site that is
-- running. Plans are kept: for a small site planning takes a third of the time.
create or replace function sum_measures_of(site uuid, instant timestamptz) returns void
language plpgsql set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  summed_key integer;
  zone text;
  starts timestamptz[];
  ends timestamptz[];
  told_to constant timestamptz := instant - interval '5 minutes';
begin
  perform pg_advisory_xact_lock(hashtextextended(site::text, 0));
  select key, timezone into summed_key, zone from sites where id = site;
  perform drop_passing_measures(summed_key, '-infinity');

  select array_agg(h.starts_at order by h.starts_at), array_agg(h.ends_at order by h.starts_at)
  into starts, ends
  from unsummed_hours(summed_key, zone, last_final_end(instant), false) h;
  if starts is not null then
    perform sum_blocks(summed_key, 0::smallint, null, starts, ends, 'infinity');
  end if;

  select array_agg(h.starts_at order by h.starts_at), array_agg(h.ends_at order by h.starts_at)
  into starts, ends
  from unsummed_hours(summed_key, zone, told_to, true) h;
  -- After a clock went back, final sums may hold events after `told_to`: reports would count these twice.
  if starts is not null
    and not exists (
      select
      from rollup_blocks b
      where b.site_key = summed_key and b.span >= 0 and b.ends_at > last_final_end(instant)
    )
  then
    perform sum_blocks(summed_key, (-1)::smallint, null, starts, ends, told_to);
  end if;

  perform join_blocks(summed_key, zone, larger, instant) from unnest('{1,7,28}'::smallint[]) as larger;

  -- Deletes the hours of days whose raw events are partly deleted: nothing reopens such days.
  delete from rollup_blocks hour using rollup_blocks day
  where hour.site_key = summed_key
    and hour.span = 0
    and day.site_key = summed_key
    and day.span = 1
    and day.starts_at > hour.starts_at - interval '26 hours'
    and day.starts_at <= hour.starts_at
    and day.ends_at > hour.starts_at
    and day.ends_at <= (select raw_events_from()) + interval '7 hours';
  delete from rollup_engagement e
  where e.site_key = summed_key
    and e.span = 0
    and not exists (
      select
      from rollup_blocks b
      where b.site_key = summed_key and b.span = 0 and b.starts_at = e.starts_at
    );
  delete from rollup_vitals v
  where v.site_key = summed_key
    and v.span = 0
    and not exists (
      select
      from rollup_blocks b
      where b.site_key = summed_key and b.span = 0 and b.starts_at = v.starts_at
    );
end
$$;

-- Returns whether the site has at least 1000 events that aren't in sums yet, which would make its reports slow.
create or replace function has_much_unsummed(site integer) returns boolean
language sql stable as $$
  select 1000 <= (
    select count(*)
    from (
      select
      from events e
      where e.site_key = site
        and e.kind >= 0
        and e.kind in (1, 3, 4)
        and e.tier = 3
        and e.occurred_at >= coalesce(
          (select max(b.ends_at) from rollup_blocks b where b.site_key = site and b.span in (-1, 0)),
          '-infinity'
        )
      limit 1000
    ) recent
  )
$$;

-- Sums the measures of the next 20 sites that have something to sum, in the order in which `ingest_events` locks them.
-- Returns the lock key of the last one, to be passed as `after_lock` in the next call; null when all are done. Costs a
-- few index probes for each site with events in the last four days.
create or replace function sum_measures(instant timestamptz, after_lock bigint) returns bigint
language plpgsql set jit = off as $$
declare
  site record;
  summed integer := 0;
begin
  for site in
    select s.id, s.key, s.timezone, hashtextextended(s.id::text, 0) as lock_key
    from sites s join site_freshness f on f.site_key = s.key
    where f.last_event_at > instant - interval '4 days'
      and (after_lock is null or hashtextextended(s.id::text, 0) > after_lock)
    order by lock_key
  loop
    if exists (select from unsummed_hours(site.key, site.timezone, last_final_end(instant), false))
      or has_much_unsummed(site.key)
    then
      -- A site that can't be summed doesn't stop the others, and its raw events are deleted on time.
      begin
        perform sum_measures_of(site.id, instant);
      exception when others then
        raise warning 'measures of site % not summed: %', site.key, sqlstate;
      end;
      summed := summed + 1;
      if summed = 20 then
        return site.lock_key;
      end if;
    end if;
  end loop;
  return null;
end
$$;

-- Deletes the provisional sums (span -1) if they may contain events at `instant` or later.
create or replace function drop_passing_measures(site integer, instant timestamptz) returns void
language plpgsql as $$
begin
  if exists (select from rollup_blocks where site_key = site and span = -1 and told_to > instant) then
    delete from rollup_blocks where site_key = site and span = -1;
    delete from rollup_engagement where site_key = site and span = -1;
    delete from rollup_vitals where site_key = site and span = -1;
  end if;
end
$$;

-- Deletes the blocks that events of [first_at, last_at] may change. Reports read raw events for their time until the
-- cron sums it again. A block whose raw events are partly deleted is kept, and doesn't get the new events.
create or replace function reopen_measures(site integer, first_at timestamptz, last_at timestamptz) returns void
language plpgsql as $$
declare
  opened timestamptz[];
begin
  perform drop_passing_measures(site, first_at);
  if not exists (
    select
    from rollup_blocks
    where site_key = site
      and span = 0
      and starts_at > first_at - interval '7 hours'
      and starts_at <= last_at + interval '7 hours'
  )
  then
    return;
  end if;
  with hours as (
    delete from rollup_blocks
    where site_key = site
      and span = 0
      and starts_at > first_at - interval '7 hours'
      and starts_at <= last_at + interval '7 hours'
      and starts_at >= (select raw_events_from()) + interval '7 hours'
    returning starts_at
  )
  select array_agg(starts_at)
  into opened
  from hours;

  delete from rollup_engagement where site_key = site and span = 0 and starts_at = any (opened);
  delete from rollup_vitals where site_key = site and span = 0 and starts_at = any (opened);
  with larger as (
    delete from rollup_blocks b
    where b.site_key = site
      and b.span > 0
      and exists (
        select
        from unnest(opened) as hour(starts_at)
        where hour.starts_at >= b.starts_at and hour.starts_at < b.ends_at
      )
    returning b.span, b.starts_at
  ),
  emptied as (
    delete from rollup_engagement e using larger l
    where e.site_key = site and e.span = l.span and e.starts_at = l.starts_at
  )
  delete from rollup_vitals v using larger l
  where v.site_key = site and v.span = l.span and v.starts_at = l.starts_at;
end
$$;
