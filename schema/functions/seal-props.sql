-- The part of sealing (schema/functions/seal.sql) that properties of custom events need.

-- What a visit's custom events brought, by event: each key, `["plan"]`, and each value of one, `["plan", "pro"]`.
create or replace function props_of(pairs integer[], event_data jsonb) returns table (ms integer, event integer, value text)
language sql immutable parallel safe rows 6 as $$
  select e.ms, e.text_id, v.value
  from events_of(pairs, event_data) e
  cross join lateral jsonb_each_text(e.data -> 'props') prop
  cross join lateral (values (jsonb_build_array(prop.key)::text), (jsonb_build_array(prop.key, prop.value)::text)) v(value)
$$;

-- Writes the properties of a day that is being sealed, of the visits that began before `before`. Scans those with custom events once,
-- and asks `visits_visitors` for each visitor who isn't new what they had before.
create or replace function seal_props(of_site integer, of_day date, start_at timestamptz, end_at timestamptz, before timestamptz) returns void
language plpgsql set jit = off as $$
declare
  zone constant text := (select timezone from sites where key = of_site);
begin
  delete from rollup_props where site_key = of_site and bucket = of_day;
  with
  current as materialized (
    select row_number() over () as visit, tier, visitor_id, coalesce(newcomer and started_at >= start_at, false) as is_new, started_at, counted,
      custom_events, event_data,
      is_seen(counted, continued, entry_page, custom_events) as seen
    from visits v
    where site_key = of_site and custom_events is not null and event_data is not null
      and started_at < before and started_at >= start_at - interval '24 days'
      and (quarter_hour(started_at) >= start_at - interval '1 day' and quarter_hour(started_at) < before
        or duration_ms >= 86400000 and started_at < start_at)
      and visit_time(started_at, duration_ms) >= start_at
      and not exists (
        select from open_visits o
        where o.site_key = of_site and o.day = of_day and o.tier = v.tier and o.visitor_id = v.visitor_id and o.started_at = v.started_at)
  ),
  hits as materialized (
    select visit, event, value, tier, case when seen then visitor_id end as visitor_id, is_new, counted,
      ((started_at + ms * interval '1 millisecond') at time zone zone)::date as day
    from current cross join lateral props_of(custom_events, event_data)
    where started_at + ms * interval '1 millisecond' < end_at
  ),
  earlier as (
    select who.tier, who.visitor_id, e.started_at, e.custom_events, e.event_data
    from (select tier, visitor_id from hits where visitor_id is not null group by tier, visitor_id having not bool_or(is_new)) who
    cross join lateral (
      select * from visits e
      where e.site_key = of_site and uuid_hash(e.visitor_id) = uuid_hash(who.visitor_id) and e.visitor_id = who.visitor_id and e.tier = who.tier
        and e.started_at < start_at and e.started_at >= start_at - case who.tier when 2 then interval '3 days' else interval '400 days' end
        and e.event_data is not null and is_seen(e.counted, e.continued, e.entry_page, e.custom_events)
      offset 0
    ) e
  ),
  pairs as (
    select event, value, tier, of_day - max(day) filter (where day < of_day) as gap
    from (
      select event, value, tier, visitor_id, day from hits where visitor_id is not null
      union all
      select event, value, tier, visitor_id, ((started_at + ms * interval '1 millisecond') at time zone zone)::date
      from earlier cross join lateral props_of(custom_events, event_data)
      where started_at + ms * interval '1 millisecond' < start_at
    ) had
    group by event, value, tier, visitor_id
    having max(day) = of_day
  ),
  resumed as (
    select event, value, tier, of_day - max(day) filter (where day < of_day) as gap
    from hits
    where counted and tier > 1
    group by event, value, tier, visit
    having max(day) = of_day and min(day) < of_day
  ),
  counts as (
    select event, value,
      sum(hits) filter (where tier = 1) as hits_1, sum(hits) filter (where tier = 2) as hits_2, sum(hits) filter (where tier = 3) as hits_3,
      sum(visits) filter (where tier = 1) as visits_1, sum(visits) filter (where tier = 2) as visits_2,
      sum(visits) filter (where tier = 3) as visits_3, sum(visitors) filter (where tier = 2) as visitors_2,
      sum(visitors) filter (where tier = 3) as visitors_3
    from (
      select event, value, tier, count(*) as hits, count(distinct visit) filter (where counted) as visits, 0 as visitors
      from hits where day = of_day group by event, value, tier
      union all
      select event, value, tier, 0, 0, count(*) from pairs group by event, value, tier
    ) c
    group by event, value
  ),
  gaps as (
    select event, array_agg(value) as gap_value, array_agg(tier::smallint) as gap_tier, array_agg(gap::smallint) as gap,
      array_agg(returned::integer) as returned, array_agg(resumed::integer) as resumed
    from (
      select event, value, tier, gap, sum(returned) as returned, sum(resumed) as resumed
      from (
        select event, value, tier, gap, 1 as returned, 0 as resumed from pairs
        union all select event, value, tier, gap, 0, 1 from resumed
      ) g
      where gap <= 400
      group by event, value, tier, gap
      order by event, value collate "C", tier, gap
    ) g
    group by event
  )
  insert into rollup_props (
    site_key, bucket, event, value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2, visitors_3,
    gap_value, gap_tier, gap, returned, resumed)
  select of_site, of_day, c.*, gap_value, gap_tier, gap, returned, resumed
  from (
    select event, array_agg(value), array_agg(coalesce(hits_1, 0)::integer), array_agg(coalesce(hits_2, 0)::integer),
      array_agg(coalesce(hits_3, 0)::integer), array_agg(coalesce(visits_1, 0)::integer), array_agg(coalesce(visits_2, 0)::integer),
      array_agg(coalesce(visits_3, 0)::integer), array_agg(coalesce(visitors_2, 0)::integer), array_agg(coalesce(visitors_3, 0)::integer)
    from (select * from counts order by event, value collate "C") ordered
    group by event
  ) c
  left join gaps using (event);
end
$$;
