-- The part of sealing (schema/functions/seal.sql) that goals and funnels need. It can be done again by itself, since they change.

create or replace function note_targets() returns trigger
language plpgsql as $$
begin
  update site_seals set targets = targets + 1 where site_key = (select key from sites where id = new.site_id);
  return null;
end
$$;
create or replace trigger site_goals_meant after insert or update of kind, pattern on site_goals
  for each row execute function note_targets();
create or replace trigger site_funnels_meant after insert or update of steps on site_funnels
  for each row execute function note_targets();

-- Which of a site's texts reach which goal, or step of a funnel (from 1; 0 for a goal).
create or replace function texts_of_targets(of_site integer) returns table (kind smallint, text_id integer, goal integer, funnel integer, step integer)
language sql stable as $$
  with targets as materialized (
    select kind, pattern, goals.key as goal, null::integer as funnel, 0 as step
    from site_goals goals where site_id = (select id from sites where key = of_site)
    union all
    select item.kind, item.pattern, null, funnels.key, item.step::integer
    from site_funnels funnels,
      rows from (jsonb_to_recordset(funnels.steps) as (kind smallint, pattern text)) with ordinality as item(kind, pattern, step)
    where site_id = (select id from sites where key = of_site)
  )
  select t.kind, text.id, t.goal, t.funnel, t.step
  from targets t
  join site_texts text on text.site_key = of_site and text.value = t.pattern
  where not (t.kind = 1 and position('*' in t.pattern) > 0)
  union all
  select t.kind, text.id, t.goal, t.funnel, t.step
  from (select *, as_like(pattern) as likeness from targets where kind = 1 and position('*' in pattern) > 0 offset 0) t
  join site_texts text on text.site_key = of_site and text.value like t.likeness and page_matches(text.value, t.pattern)
$$;

-- Writes what of a sealed day goals and funnels need, of the visits that began in it. Scans them once, and the earlier
-- ones of those who reached a goal.
create or replace function seal_targets(of_site integer, of_day date) returns void
language plpgsql set jit = off set enable_nestloop = off as $$
declare
  zone text;
  start_at timestamptz;
  end_at timestamptz;
  until_at timestamptz;
  version integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('seal ' || of_site, 0));
  select timezone, day_start(of_day, timezone), day_start(of_day + 1, timezone), d.until, s.targets
  into zone, start_at, end_at, until_at, version
  from sites join sealed_days d on d.site_key = key join site_seals s on s.site_key = key
  where key = of_site and d.span = 1 and d.bucket = of_day and d.ready;
  if zone is null then
    return;
  end if;
  delete from rollup_values where site_key = of_site and span = 1 and bucket = of_day and dimension between dimension_number('goal') and dimension_number('reach');
  delete from rollup_revenue where site_key = of_site and bucket = of_day and dimension between dimension_number('goal') and dimension_number('reach');
  with
  texts as materialized (select * from texts_of_targets(of_site)),
  begun as materialized (
    select row_number() over () as visit, tier, visitor_id, coalesce(newcomer, false) as is_new, counted, continued, entry_ms, entry_page, later_pages, custom_events, event_data,
      is_seen(counted, continued, entry_page, custom_events) as seen
    from visits v
    where site_key = of_site and profile_id > 0 and started_at >= start_at and started_at < least(end_at, until_at)
      and quarter_hour(started_at) >= start_at and quarter_hour(started_at) < least(end_at, until_at)
      and not exists (
        select from open_visits o
        where o.site_key = of_site and o.day = of_day and o.tier = v.tier and o.visitor_id = v.visitor_id and o.started_at = v.started_at)
  ),
  reached as materialized (
    select visit, tier, visitor_id, is_new, seen, hit.ms, hit.data, goal, funnel, step
    from begun
    cross join lateral (
      select 1 as kind, entry_page as text_id, coalesce(entry_ms, 0) as ms, null::jsonb as data where entry_page is not null
      union all select 1, text_id, ms, null from hits_of(later_pages)
      union all select 2, text_id, ms, data from events_of(custom_events, event_data)
    ) hit
    join texts using (kind, text_id)
  ),
  goals as materialized (
    select goal, visit, tier, case when seen then visitor_id end as visitor_id, is_new, count(*) as hits
    from reached where goal is not null group by goal, visit, tier, seen, visitor_id, is_new
  ),
  earlier as (
    select who.tier, who.visitor_id, (e.started_at at time zone zone)::date as day, e.entry_page, e.later_pages, e.custom_events
    from (select tier, visitor_id from goals where visitor_id is not null group by tier, visitor_id having not bool_or(is_new)) who
    cross join lateral (
      select * from visits e
      where e.site_key = of_site and uuid_hash(e.visitor_id) = uuid_hash(who.visitor_id) and e.visitor_id = who.visitor_id and e.tier = who.tier
        and e.started_at < start_at and e.started_at >= start_at - case who.tier when 2 then interval '3 days' else interval '400 days' end
        and is_seen(e.counted, e.continued, e.entry_page, e.custom_events)
      offset 0
    ) e
  ),
  lasts as (
    select goal, tier, visitor_id, max(day) as day
    from earlier
    cross join lateral (
      select 1 as kind, entry_page as text_id where entry_page is not null
      union all select 1, text_id from hits_of(later_pages)
      union all select 2, text_id from hits_of(custom_events)
    ) hit
    join texts using (kind, text_id)
    where goal is not null
    group by goal, tier, visitor_id
  ),
  visitors as (
    select goal, tier, of_day - lasts.day as gap
    from (select distinct goal, tier, visitor_id from goals where visitor_id is not null) g
    left join lasts using (goal, tier, visitor_id)
  ),
  depths as (
    select funnel, visit, tier, steps_reached(step order by ms, step) as depth
    from reached where funnel is not null and tier > 1 and seen group by funnel, visit, tier
  ),
  counts as (
    select dimension, value, sum(hits) filter (where tier = 1) as hits_1, sum(hits) filter (where tier = 2) as hits_2,
      sum(hits) filter (where tier = 3) as hits_3, sum(visits) filter (where tier = 1) as visits_1,
      sum(visits) filter (where tier = 2) as visits_2, sum(visits) filter (where tier = 3) as visits_3,
      sum(visitors) filter (where tier = 2) as visitors_2, sum(visitors) filter (where tier = 3) as visitors_3
    from (
      select dimension_number('goal') as dimension, goal as value, tier, sum(hits) as hits, count(*) as visits, 0 as visitors
      from goals group by goal, tier
      union all
      select dimension_number('goal'), goal, tier, 0, 0, count(*) from visitors group by goal, tier
      union all
      select dimension_number('funnel'), funnel * 8 + step, tier, 0, count(*), 0
      from depths cross join lateral generate_series(0, depth - 1) step group by funnel, step, tier
      union all
      -- 1, 2, 3: why shares may be approximate, of visits with a page view or custom event. 4: visits that count.
      select dimension_number('reach'), reason, tier, 0, count(*), 0
      from begun
      cross join lateral (
        select 1 as reason where tier = 1 and (entry_page is not null or custom_events is not null)
        union all select 2 where continued and (entry_page is not null or custom_events is not null)
        union all select 3 where tier > 1 and not seen and (entry_page is not null or custom_events is not null)
        union all select 4 where counted
      ) r
      group by reason, tier
    ) c
    group by dimension, value
    order by dimension, value
  ),
  gaps as (
    select array_agg(goal) as gap_value, array_agg(tier::smallint) as gap_tier, array_agg(gap::smallint) as gap, array_agg(returned::integer) as returned,
      array_agg(0) as resumed
    from (
      select goal, tier, gap, count(*) as returned from visitors where gap <= 400 group by goal, tier, gap order by goal, tier, gap
    ) g
  ),
  revenue as (
    insert into rollup_revenue (site_key, bucket, dimension, value, currency, amount_1, amount_2, amount_3)
    select of_site, of_day, dimension_number('goal'), goal, data #>> '{revenue,currency}' as currency,
      sum((data #>> '{revenue,amount}')::numeric) filter (where tier = 1),
      sum((data #>> '{revenue,amount}')::numeric) filter (where tier = 2),
      sum((data #>> '{revenue,amount}')::numeric) filter (where tier = 3)
    from reached where goal is not null and data ? 'revenue' group by goal, currency
  )
  insert into rollup_values (
    site_key, bucket, span, dimension, value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2, visitors_3,
    gap_value, gap_tier, gap, returned, resumed)
  select of_site, of_day, 1, c.*, gap_value, gap_tier, gap, returned, resumed
  from (
    select dimension, array_agg(value), array_agg(coalesce(hits_1, 0)::integer), array_agg(coalesce(hits_2, 0)::integer),
      array_agg(coalesce(hits_3, 0)::integer), array_agg(coalesce(visits_1, 0)::integer), array_agg(coalesce(visits_2, 0)::integer),
      array_agg(coalesce(visits_3, 0)::integer), array_agg(coalesce(visitors_2, 0)::integer), array_agg(coalesce(visitors_3, 0)::integer)
    from counts group by dimension
  ) c
  left join gaps on dimension = dimension_number('goal');

  update sealed_days set targets = version where site_key = of_site and span = 1 and bucket = of_day and ready;
end
$$;

-- Does it again for sealed days of a site, or with null of all, whose goals or funnels have changed since, at most so many, the
-- newest first; how many were done.
create or replace function reseal_targets(of_site uuid, most integer) returns integer
language plpgsql as $$
declare
  due record;
  done integer := 0;
begin
  for due in
    select d.site_key, d.bucket from site_seals s join sealed_days d using (site_key)
    where d.span = 1 and d.ready and d.targets is distinct from s.targets
      and (of_site is null or d.site_key = (select key from sites where id = of_site))
      and not exists (select from imported_days i where i.site_key = d.site_key and i.day = d.bucket)
    order by d.site_key, d.bucket desc limit most
  loop
    perform seal_targets(due.site_key, due.bucket);
    done := done + 1;
  end loop;
  return done;
end
$$;
