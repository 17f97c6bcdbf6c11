-- What a day's seal holds: of each dimension and each of its values how many hits, visits and visitors the day had,
-- and how many days before these visitors had the value last. Each step reads the one before it, and PostgreSQL plans
-- all of them as one query.

-- What reaches goals and steps of funnels. A funnel may begin on the page of consent (kind 4). A goal isn't reached
-- there again.
create or replace function targets_of_seal(of_site integer)
returns table (kind integer, text_id integer, goal integer, funnel integer, step integer)
language sql stable as $$
  with meant as materialized (select * from texts_of_targets(of_site))
  select kind::integer, text_id, goal, funnel, step
  from meant
  union all
  select 4, text_id, null, funnel, step
  from meant
  where kind = 1 and funnel is not null
$$;

-- What each visitor, each visit of nobody known, or several of these together, had of a value in the day (`today`),
-- and on which earlier day last. A goal counts on the day on which its visit began; anything else when it happened.
-- Data of single hits is summed without a visit: anybody can send as many as there are events. `resumed`: visits that
-- had the value on an earlier day too. `kept`: of the visits that a filter keeps, what lists of visits and pages show,
-- and the total; null: of all visits, all but the total.
drop function if exists values_of_seal(integer, date, text, timestamptz, timestamptz, timestamptz, boolean);
create or replace function values_of_seal(
  of_site integer, of_day date, zone text, start_at timestamptz, end_at timestamptz, until_at timestamptz,
  only_targets boolean, kept filter_masks
)
returns table (
  dimension smallint, value integer, prop text, tier smallint, visitor_id uuid, visitors integer, visits integer,
  hits integer, resumed integer, today boolean, last_day date
)
language sql stable as $$
  with targets as materialized (select * from targets_of_seal(of_site) where kept is null),
  entries as materialized (select * from index_entries(of_site)),
  dims as materialized (
    select d.*
    from entries cross join lateral dimensions_of_seal(starts) d
    where not only_targets
  ),
  visits as materialized (
    select * from visits_of_seal(of_site, of_day, zone, start_at, until_at, only_targets, kept)
  ),
  hits as materialized (
    select v.visit, v.tier, v.visitor_id, v.alone, v.seen, v.counted, v.began_on, v.single, h.*
    from visits v
    cross join lateral hits_of_seal(
      of_day, zone, start_at, end_at, visit, started_at, entry_ms, entry_page, later_pages, custom_events, event_data,
      page_data, consent_page
    ) h
  ),
  visited as materialized (
    select
      visit, tier, visitor_id, alone, counted, came, pageviews, began_on, profile_id, place_id, origin_id, entry_page,
      exit_page
    from visits
    where seen and began_on is not null and not only_targets
  ),
  taken as (
    select
      dimension, value, prop, tier, visitor_id, alone, counted,
      count(*) filter (where day = of_day)::integer as hits,
      visit is null and visitor_id is null as is_sum,
      max(day) filter (where day < of_day) as last_day
    from (
      select v.*, tier, visitor_id, alone, case when prop is null or not single then visit end as visit, counted, day
      from hits cross join lateral values_of_hit(kind, text_id, data) v
      where kind < 4 and day <= of_day and not only_targets and (kind = 1 and prop is null or kept is null)
      union all
      select dimension_number('goal'), goal, null, tier, visitor_id, alone, visit, not is_repeated(data), began_on
      from hits join targets using (kind, text_id)
      where goal is not null and began_on is not null
    ) shown
    group by dimension, value, prop, tier, visitor_id, alone, visit, counted
  )
  select
    number,
    value_of_visit(
      source, text_start, position_start, profile_id, place_id, origin_id, entry_page, exit_page,
      (select texts from entries), (select positions from entries)
    ),
    null, tier, visitor_id, alone::integer, counted::integer, pageviews, 0, visit is not null,
    case when visit is null then began_on end
  from visited cross join dims d
  where tier >= lowest_tier and (came or not arrives)
  union all
  select
    dimension, value, prop, tier, visitor_id,
    case when not alone then 0 when is_sum then hits else 1 end,
    case when not counted or hits = 0 then 0 when is_sum then hits else 1 end,
    hits,
    (counted and hits > 0 and tier > 1 and last_day is not null)::integer,
    hits > 0, last_day
  from taken
  union all
  select
    dimension_number('cohort'), min(began_on) - date '2001-01-01', null, tier, visitor_id,
    sum(alone::integer)::integer, 0, 0, 0, true,
    max(began_on) filter (where visit is null)
  from visited
  where tier = 3 and kept is null
  group by tier, visitor_id
  having bool_or(visit is not null)
  union all
  select dimension_number('funnel'), funnel * 8 + reached, null, tier, null, 0, 1, 0, 0, true, null
  from (
    select funnel, tier, steps_reached(step order by ms, step) as depth
    from hits join targets using (kind, text_id)
    where funnel is not null and began_on = of_day and (visitor_id is not null or alone)
    group by funnel, visit, tier
  ) f
  cross join lateral generate_series(0, depth - 1) reached
  union all
  select dimension_number('reach'), reason, null, tier, null, 0, count(*)::integer, 0, 0, true, null
  from visits
  cross join lateral reach_of_visit(tier, seen, counted, continued, entry_page, custom_events, consent_page)
  where visit is not null and began_on is not null and kept is null
  group by reason, tier
  union all
  select
    dimension_number('reach'), goal * 8 + apart, null, tier, null, 0, count(distinct visit)::integer, 0, 0, true, null
  from hits
  join targets using (kind, text_id)
  cross join lateral conversion_apart(tier, seen, counted) apart
  where goal is not null and began_on = of_day and apart is not null and not is_repeated(data)
  group by goal, apart, tier
  union all
  select
    dimension_number('total'), 1, null, tier, visitor_id, alone::integer, counted::integer, 0, 0, visit is not null,
    case when visit is null then began_on end
  from visited
  where not kept is null
  union all
  select dimension_number('total'), 1, null, tier, null, 0, 0, count(*)::integer, 0, true, null
  from hits
  where kind = 1 and day = of_day and not kept is null
  group by tier
$$;

-- What a day had of each value, by the tier and, of visitors who had it before, by how many days before.
drop function if exists sums_of_seal(integer, date, text, timestamptz, timestamptz, timestamptz, boolean);
create or replace function sums_of_seal(
  of_site integer, of_day date, zone text, start_at timestamptz, end_at timestamptz, until_at timestamptz,
  only_targets boolean, kept filter_masks
)
returns table (
  dimension smallint, event integer, value integer, prop text, tier smallint, gap smallint, hits integer,
  visits integer, visitors integer, resumed integer
)
language sql stable as $$
  select
    dimension,
    case when prop is not null then value end,
    value, prop, tier, gap::smallint, sum(hits)::integer, sum(visits)::integer, sum(visitors)::integer,
    sum(resumed)::integer
  from (
    select
      dimension, value, prop, tier, sum(hits) as hits, sum(visits) as visits, sum(resumed) as resumed,
      case when visitor_id is null then sum(visitors) else 1 end as visitors,
      case when visitor_id is not null then of_day - max(last_day) end as gap
    from values_of_seal(of_site, of_day, zone, start_at, end_at, until_at, only_targets, kept)
    where value > 0 or prop is not null
    group by dimension, value, prop, tier, visitor_id
    having bool_or(today)
  ) v
  group by dimension, value, prop, tier, gap
$$;

-- `sums_of_seal` as arrays, with an element for each value, and one for each value, tier and gap: a row for each
-- dimension and, of properties, for each event.
create or replace function packed_sums(
  of_site integer, of_day date, zone text, start_at timestamptz, end_at timestamptz, until_at timestamptz,
  only_targets boolean, kept filter_masks
)
returns table (
  dimension smallint, event integer, value integer[], prop text[], hits_1 integer[], hits_2 integer[],
  hits_3 integer[], visits_1 integer[], visits_2 integer[], visits_3 integer[], visitors_2 integer[],
  visitors_3 integer[], gap_value integer[], gap_prop text[], gap_tier smallint[], gap smallint[], returned integer[],
  resumed integer[]
)
language sql stable as $$
  with sums as materialized (
    select *
    from sums_of_seal(of_site, of_day, zone, start_at, end_at, until_at, only_targets, kept)
  ),
  counts as (
    select
      dimension, event, array_agg(value) as value, array_agg(prop) as prop, array_agg(hits_1) as hits_1,
      array_agg(hits_2) as hits_2, array_agg(hits_3) as hits_3, array_agg(visits_1) as visits_1,
      array_agg(visits_2) as visits_2, array_agg(visits_3) as visits_3, array_agg(visitors_2) as visitors_2,
      array_agg(visitors_3) as visitors_3
    from (
      select
        dimension, event, value, prop,
        coalesce(sum(hits) filter (where tier = 1), 0)::integer as hits_1,
        coalesce(sum(hits) filter (where tier = 2), 0)::integer as hits_2,
        coalesce(sum(hits) filter (where tier = 3), 0)::integer as hits_3,
        coalesce(sum(visits) filter (where tier = 1), 0)::integer as visits_1,
        coalesce(sum(visits) filter (where tier = 2), 0)::integer as visits_2,
        coalesce(sum(visits) filter (where tier = 3), 0)::integer as visits_3,
        coalesce(sum(visitors) filter (where tier = 2), 0)::integer as visitors_2,
        coalesce(sum(visitors) filter (where tier = 3), 0)::integer as visitors_3
      from sums
      group by dimension, event, value, prop
      order by dimension, value, prop collate "C"
    ) c
    group by dimension, event
  ),
  gaps as (
    select
      dimension, event, array_agg(value) as gap_value, array_agg(prop) as gap_prop, array_agg(tier) as gap_tier,
      array_agg(gap) as gap, array_agg(visitors) as returned, array_agg(resumed) as resumed
    from (select * from sums where gap <= seal_memory() order by dimension, value, prop collate "C", tier, gap) g
    group by dimension, event
  )
  select
    c.dimension, c.event, c.value, prop, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2, visitors_3,
    gap_value, gap_prop, gap_tier, g.gap, returned, resumed
  from counts c
  left join gaps g on g.dimension = c.dimension and g.event is not distinct from c.event
$$;

-- Writes what a day had of all dimensions, or of goals and funnels alone.
create or replace function write_values(
  of_site integer, of_day date, zone text, start_at timestamptz, end_at timestamptz, until_at timestamptz,
  only_targets boolean
)
returns void
language plpgsql as $$
begin
  with packed as materialized (
    select *
    from packed_sums(of_site, of_day, zone, start_at, end_at, until_at, only_targets, null)
  ),
  written as (
    insert into rollup_props (
      site_key, bucket, event, value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2, visitors_3,
      gap_value, gap_tier, gap, returned, resumed
    )
    select
      of_site, of_day, event, prop, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2, visitors_3,
      gap_prop, gap_tier, gap, returned, resumed
    from packed
    where event is not null
  )
  insert into rollup_values (
    site_key, bucket, span, dimension, value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2,
    visitors_3, gap_value, gap_tier, gap, returned, resumed
  )
  select
    of_site, of_day, 1, dimension, value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2,
    visitors_3, gap_value, gap_tier, gap, returned, resumed
  from packed
  where event is null;
end
$$;

-- Writes the revenue of a day's custom events, and of the goals that they reached in visits that began in the day.
create or replace function write_revenue(
  of_site integer, of_day date, start_at timestamptz, end_at timestamptz, until_at timestamptz, only_targets boolean
)
returns void
language plpgsql as $$
begin
  with sales as materialized (
    select
      v.tier, e.text_id, e.data -> 'revenue' as revenue, v.started_at >= start_at as begun,
      at.time >= start_at and at.time < end_at as today
    from closed_visits(of_site, of_day, start_at, until_at) v
    cross join lateral events_of(v.custom_events, v.event_data) e
    cross join lateral (select v.started_at + e.ms * interval '1 millisecond' as time) at
    where v.custom_events is not null and v.event_data @? '$[*].revenue' and e.data ? 'revenue'
  )
  insert into rollup_revenue (site_key, bucket, dimension, value, currency, amount_1, amount_2, amount_3)
  select
    of_site, of_day, dimension, value, currency, sum(amount) filter (where tier = 1),
    sum(amount) filter (where tier = 2), sum(amount) filter (where tier = 3)
  from (
    select dimension, value, tier, revenue ->> 'currency' as currency, (revenue ->> 'amount')::numeric as amount
    from (
      select dimension_number('event') as dimension, text_id as value, tier, revenue
      from sales
      where today and not only_targets
      union all
      select dimension_number('goal'), t.goal, s.tier, s.revenue
      from sales s join texts_of_targets(of_site) t using (text_id)
      where t.kind = 2 and t.goal is not null and s.begun
    ) hit
  ) r
  group by dimension, value, currency;
end
$$;

-- Deletes what a day has of all dimensions, or of goals and funnels alone.
create or replace function clear_hits(of_site integer, of_day date, only_targets boolean) returns void
language plpgsql as $$
begin
  delete from rollup_values
  where site_key = of_site
    and span = 1
    and bucket = of_day
    and (
      not only_targets
        or dimension in (dimension_number('goal'), dimension_number('funnel'), dimension_number('reach'))
    );
  delete from rollup_revenue
  where site_key = of_site and bucket = of_day and (not only_targets or dimension = dimension_number('goal'));
  if not only_targets then
    delete from rollup_props where site_key = of_site and bucket = of_day;
  end if;
end
$$;

-- Writes what a day that is being sealed has of all dimensions, or of goals and funnels alone. False: the day has no
-- seal any more. Each property makes two rows that are grouped by visit: with 4 MB of memory a day with many of them
-- takes half as long again. Plans are kept: planning would take a third of the time of a small site's day.
create or replace function seal_hits(of_site integer, of_day date, only_targets boolean) returns boolean
language plpgsql set jit = off set work_mem = '16MB' set plan_cache_mode = force_generic_plan as $$
declare
  day record;
begin
  perform pg_advisory_xact_lock(hashtextextended('seal ' || of_site, 0));
  select * into day from day_of_seal(of_site, of_day);
  if day.zone is null then
    return false;
  end if;
  perform clear_hits(of_site, of_day, only_targets);
  perform write_values(of_site, of_day, day.zone, day.start_at, day.end_at, day.until_at, only_targets);
  perform write_revenue(of_site, of_day, day.start_at, day.end_at, day.until_at, only_targets);
  update sealed_days set targets = day.targets where site_key = of_site and span = 1 and bucket = of_day;
  return found;
end
$$;
