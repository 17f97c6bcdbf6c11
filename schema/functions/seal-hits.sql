-- What a day's seal holds: of each dimension and each of its values how many hits, visits and visitors the day had,
-- and how many days before these visitors had the value last. The visits of the day and the earlier ones of their
-- visitors become one relation of hits; `had` is what each visit had of a value, whatever the dimension, and all
-- counts are made of it.

-- For how many days a seal knows that a visitor had a value before. No report asks for more.
create or replace function seal_memory() returns integer
language sql immutable parallel safe as $$
  select 400
$$;

-- The visits of a site that began before `before` and had something at `start_at` or later, by `visits_quarters` and,
-- where they lasted for a day, `visits_long`.
create or replace function visits_within(of_site integer, start_at timestamptz, before timestamptz)
returns setof visits
language sql stable as $$
  select *
  from visits
  where site_key = of_site
    and profile_id > 0
    and started_at < before
    and started_at >= start_at - longest_visit()
    and visit_time(started_at, duration_ms) >= start_at
    and (
      quarter_hour(started_at) >= quarter_hour(start_at) - interval '1 day' and quarter_hour(started_at) < before
        or duration_ms >= 86400000
    )
$$;

-- Those that weren't open when a day was sealed.
create or replace function closed_visits(of_site integer, of_day date, start_at timestamptz, before timestamptz)
returns setof visits
language sql stable as $$
  select *
  from visits_within(of_site, start_at, before) v
  where not exists (
    select
    from open_visits o
    where o.site_key = of_site
      and o.day = of_day
      and o.tier = v.tier
      and o.visitor_id = v.visitor_id
      and o.started_at = v.started_at
  )
$$;

-- The visits of a visitor in which somebody was seen before `before`, by `visits_by_visitor`. At tier 2 a visitor is
-- one of a day.
create or replace function earlier_visits(of_site integer, of_tier smallint, of_visitor uuid, before timestamptz)
returns setof visits
language sql stable as $$
  select *
  from visits
  where site_key = of_site
    and visitor_id = of_visitor
    and tier = of_tier
    and started_at < before
    and started_at >= before - case of_tier when 2 then 3 else seal_memory() end * interval '1 day'
    and is_seen(counted, continued, entry_page, custom_events, consent_page)
  offset 0
$$;

-- The page views (kind 1) and custom events (kind 2) of a visit, with what an event brought.
create or replace function hits_of_visit(
  entry_ms integer, entry_page integer, later_pages integer[], custom_events integer[], event_data jsonb
)
returns table (kind integer, ms integer, text_id integer, data jsonb)
language sql immutable parallel safe rows 4 as $$
  select 1, coalesce(entry_ms, 0), entry_page, null::jsonb
  where entry_page is not null
  union all
  select 1, ms, text_id, null
  from hits_of(later_pages)
  union all
  select 2, ms, text_id, data
  from events_of(custom_events, event_data)
$$;

-- The properties of a custom event: each key, `["plan"]`, and its value, `["plan", "pro"]`.
create or replace function props_in(data jsonb) returns table (value text)
language sql immutable parallel safe rows 4 as $$
  select v.value
  from jsonb_each_text(data -> 'props') prop
  cross join lateral (values (jsonb_build_array(prop.key)::text), (jsonb_build_array(prop.key, prop.value)::text)) v(
    value
  )
$$;

-- The same of all custom events of a visit.
create or replace function props_of(pairs integer[], event_data jsonb)
returns table (ms integer, event integer, value text)
language sql immutable parallel safe rows 6 as $$
  select e.ms, e.text_id, p.value from events_of(pairs, event_data) e cross join lateral props_in(e.data) p
$$;

-- The same, what page views brought (kind 3), of event 0, and the page of consent (kind 4).
create or replace function hits_with_page_data(
  entry_ms integer, entry_page integer, later_pages integer[], custom_events integer[], event_data jsonb,
  page_data jsonb, consent_page integer
)
returns table (kind integer, ms integer, text_id integer, data jsonb)
language sql immutable parallel safe rows 4 as $$
  select *
  from hits_of_visit(entry_ms, entry_page, later_pages, custom_events, event_data)
  union all
  select 3, ms, 0, data
  from page_data_of(page_data)
  union all
  select 4, 0, consent_page, null
  where consent_page is not null
$$;

-- Writes what a day that is being sealed has of all dimensions, or of goals and funnels alone. False: the day has no
-- seal any more. Scans the visits of the day once, and by `visits_by_visitor` the earlier ones of each of their
-- visitors who isn't new. Each property makes two rows that are grouped by visit: with 4 MB of memory a day with many
-- of them takes half as long again.
create or replace function seal_hits(of_site integer, of_day date, only_targets boolean) returns boolean
language plpgsql set jit = off set work_mem = '16MB' as $$
declare
  zone text;
  start_at timestamptz;
  end_at timestamptz;
  until_at timestamptz;
  version integer;
  -- The texts of entries, dimension by dimension, and where each dimension begins.
  entry_texts integer[];
  bases jsonb;
  -- Where an entry stands in each of them, by its id, dictionary by dictionary, and where each dictionary begins.
  entry_places integer[];
  first_profile integer;
  first_place integer;
  first_origin integer;
begin
  perform pg_advisory_xact_lock(hashtextextended('seal ' || of_site, 0));
  select timezone, day_start(of_day, timezone), day_start(of_day + 1, timezone), d.until, s.targets
  into zone, start_at, end_at, until_at, version
  from sites
  join sealed_days d on d.site_key = key
  join site_seals s on s.site_key = key
  where key = of_site and d.span = 1 and d.bucket = of_day;
  if zone is null then
    return false;
  end if;

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
    with entries as materialized (select * from entry_texts(of_site)),
    ids as materialized (
      select dictionary, min(number) as number, max(id) as last_id, sum(max(id)) over (order by dictionary) as until
      from entries
      group by dictionary
    )
    select
      (select array_agg(text_id order by number, place) from entries),
      (
        select jsonb_object_agg(number, base)
        from (select number, sum(count(*)) over (order by number) - count(*) as base from entries group by number) b
      ),
      (
        select array_agg(coalesce(e.place, 1) order by ids.dictionary, n)
        from ids
        cross join lateral generate_series(1, ids.last_id) as n
        left join entries e on e.number = ids.number and e.id = n
      ),
      (select until - last_id from ids where dictionary = 'profile'),
      (select until - last_id from ids where dictionary = 'place'),
      (select until - last_id from ids where dictionary = 'origin')
    into entry_texts, bases, entry_places, first_profile, first_place, first_origin;
  end if;

  with dims as materialized (
    select
      number, name, lowest_tier, arrives,
      array_position(array['profile', 'place', 'origin'], dictionary) as dictionary,
      (bases ->> number::text)::integer as base
    from dimensions
    where lowest_tier is not null and not only_targets
  ),
  -- A funnel may begin on the page of consent. A goal isn't reached there again.
  targets as materialized (
    with meant as materialized (select * from texts_of_targets(of_site))
    select *
    from meant
    union all
    select 4, text_id, null, funnel, step
    from meant
    where kind = 1 and funnel is not null
  ),
  -- `alone`: the one visit of a visitor who is new. It counts without looking who it was.
  present as materialized (
    select *, case when seen and not alone then visitor_id end as known_id
    from (
      select
        row_number() over () as visit, v.*,
        seen and is_new and count(*) over (partition by tier, visitor_id) = 1 as alone
      from (
        select
          tier, visitor_id, started_at, counted, continued, profile_id, place_id, origin_id, entry_ms, entry_page,
          later_pages, custom_events, event_data, page_data, consent_page,
          is_seen(counted, continued, entry_page, custom_events, consent_page) as seen,
          started_at >= start_at as begun,
          coalesce(newcomer and started_at >= start_at, false) as is_new
        from closed_visits(of_site, of_day, start_at, until_at)
      ) v
    ) v
  ),
  present_hits as materialized (
    select
      visit, tier, known_id as visitor_id, alone, counted,
      case when begun then of_day end as began_on,
      hit.kind, hit.ms, hit.text_id, hit.data,
      case
        when at.time >= end_at then of_day + 1
        when at.time >= start_at then of_day
        else (at.time at time zone zone)::date
      end as day
    from present
    cross join lateral hits_with_page_data(
      entry_ms, entry_page, later_pages, custom_events, event_data, page_data, consent_page
    ) hit
    cross join lateral (select started_at + hit.ms * interval '1 millisecond' as time) at
  ),
  past as materialized (
    select
      e.tier, e.visitor_id, e.started_at,
      (e.started_at at time zone zone)::date as day,
      e.continued, e.profile_id, e.place_id, e.origin_id, e.entry_ms, e.entry_page, e.later_pages, e.custom_events,
      e.event_data, e.page_data, e.consent_page
    from (
      select tier, visitor_id
      from present
      where visitor_id is not null
        and (
          not only_targets
            or visit in (
              select h.visit
              from present_hits h join targets t using (kind, text_id)
              where t.goal is not null
            )
        )
      group by tier, visitor_id
      having not bool_or(is_new)
    ) who
    cross join lateral earlier_visits(of_site, who.tier, who.visitor_id, start_at) e
  ),
  hits as materialized (
    select visit, tier, visitor_id, alone, counted, began_on, kind, ms, text_id, data, day
    from present_hits
    union all
    select
      null, tier, visitor_id, false, false, day, hit.kind, hit.ms, hit.text_id, hit.data,
      case when at.time < start_at then (at.time at time zone zone)::date end
    from past
    cross join lateral hits_with_page_data(
      entry_ms, entry_page, later_pages, custom_events, event_data, page_data, consent_page
    ) hit
    cross join lateral (select started_at + hit.ms * interval '1 millisecond' as time) at
  ),
  -- `single`: nothing else with data in the visit of nobody known, so that nothing is counted once for several hits.
  prop_hits as materialized (
    select
      visit, tier, visitor_id, alone, counted, day, text_id as event, data,
      visitor_id is null and day = of_day and count(*) over (partition by visit) = 1 as single
    from hits
    where kind > 1 and data ? 'props' and day <= of_day and not only_targets
  ),
  -- Those of single hits are summed at once, without a visit: anybody can send as many as there are events.
  props as materialized (
    select visit, tier, visitor_id, alone, counted, day, event, p.value, 1 as hits
    from prop_hits cross join lateral props_in(data) p
    where not single
    union all
    select null, tier, null, alone, counted, day, event, p.value, count(*)::integer
    from prop_hits cross join lateral props_in(data) p
    where single
    group by tier, alone, counted, day, event, p.value
  ),
  -- Numbers for the texts of properties, so that all values are numbers.
  prop_texts as materialized (
    select row_number() over (order by p.event, value collate "C")::integer as id, p.event, value
    from (select distinct p.event, value from props p where day = of_day) p
  ),
  -- A goal counts on the day on which its visit began; anything else when it happened.
  shown as (
    select
      case kind when 1 then dimension_number('page') else dimension_number('event') end as dimension,
      text_id as value, tier, visitor_id, alone, visit, counted, day, 1 as hits
    from hits
    where kind < 3 and day <= of_day and not only_targets
    union all
    select dimension_number('prop'), t.id, tier, visitor_id, alone, visit, counted, day, hits
    from props p join prop_texts t using (event, value)
    union all
    select dimension_number('goal'), t.goal, tier, visitor_id, alone, visit, not is_repeated(data), began_on, 1
    from hits join targets t using (kind, text_id)
    where t.goal is not null and began_on is not null
  ),
  taken as materialized (
    select
      dimension, value, tier, visitor_id, alone, visit, counted,
      coalesce(sum(hits) filter (where day = of_day), 0)::integer as hits,
      case when visit is null and visitor_id is null then sum(hits) else 1 end::integer as visits,
      max(day) filter (where day < of_day) as last_day
    from shown
    group by dimension, value, tier, visitor_id, alone, visit, counted
  ),
  -- The visits that began in the day, and those that their visitors had before.
  visited as (
    select
      tier, known_id as visitor_id, alone::integer as visitors, counted::integer as visits,
      not continued and (tier > 1 or counted) as came,
      true as today, of_day as day,
      (entry_page is not null)::integer + coalesce(cardinality(later_pages), 0) / 2 as hits,
      entry_places[first_profile + profile_id] as profile_at,
      entry_places[first_place + place_id] as place_at,
      entry_places[first_origin + origin_id] as origin_at,
      entry_page,
      coalesce(later_pages[cardinality(later_pages)], entry_page) as exit_page
    from present
    where begun and seen
    union all
    select
      tier, visitor_id, 0, 0, not continued, false, day, 0,
      entry_places[first_profile + profile_id],
      entry_places[first_place + place_id], entry_places[first_origin + origin_id], entry_page,
      coalesce(later_pages[cardinality(later_pages)], entry_page)
    from past
  ),
  had as (
    select
      d.number as dimension,
      case d.dictionary
        when 1 then entry_texts[base + profile_at]
        when 2 then entry_texts[base + place_at]
        when 3 then entry_texts[base + origin_at]
        else case d.name when 'entry_page' then entry_page else exit_page end
      end as value,
      tier, visitor_id, visitors, visits, hits, today,
      case when not today then day end as last_day
    from visited cross join dims d
    where tier >= d.lowest_tier and (came or not d.arrives)
    union all
    select
      dimension, value, tier, visitor_id, alone::integer * visits,
      (counted and hits > 0)::integer * visits,
      hits, hits > 0, last_day
    from taken
    union all
    select
      dimension_number('cohort'), min(day) - date '2001-01-01', tier, visitor_id, sum(visitors)::integer, 0, 0, true,
      max(day) filter (where not today)
    from visited
    where tier = 3 and not only_targets
    group by tier, visitor_id
    having bool_or(today)
    union all
    select dimension_number('funnel'), f.funnel * 8 + step, tier, null, 0, 1, 0, true, null
    from (
      select t.funnel, visit, tier, steps_reached(step order by ms, step) as depth
      from hits join targets t using (kind, text_id)
      where t.funnel is not null and began_on = of_day and (visitor_id is not null or alone)
      group by t.funnel, visit, tier
    ) f
    cross join lateral generate_series(0, depth - 1) step
    union all
    -- 1, 2, 3: why shares may be approximate, of visits with a page view, custom event or page of consent. 4: visits
    -- that count.
    select dimension_number('reach'), reason, tier, null, 0, count(*)::integer, 0, true, null
    from present
    cross join lateral (
      select 1 as reason
      where tier = 1 and (entry_page is not null or custom_events is not null)
      union all
      select 2
      where continued and (entry_page is not null or custom_events is not null or consent_page is not null)
      union all
      select 3
      where tier > 1 and not seen and (entry_page is not null or custom_events is not null)
      union all
      select 4
      where counted
    ) r
    where begun
    group by reason, tier
  ),
  sums as materialized (
    select dimension, value, tier, gap, sum(hits) as hits, sum(visits) as visits, sum(visitors) as visitors
    from (
      select
        dimension, value, tier, sum(hits)::integer as hits, sum(visits)::integer as visits,
        case when visitor_id is null then sum(visitors)::integer else 1 end as visitors,
        case when visitor_id is not null then of_day - max(last_day) end as gap
      from had
      where value > 0
      group by dimension, value, tier, visitor_id
      having bool_or(today)
    ) v
    group by dimension, value, tier, gap
  ),
  counts as (
    select
      dimension, event, array_agg(value) as value, array_agg(prop) as prop, array_agg(hits_1) as hits_1,
      array_agg(hits_2) as hits_2, array_agg(hits_3) as hits_3, array_agg(visits_1) as visits_1,
      array_agg(visits_2) as visits_2, array_agg(visits_3) as visits_3, array_agg(visitors_2) as visitors_2,
      array_agg(visitors_3) as visitors_3
    from (
      select
        s.dimension, s.value, p.event, p.value as prop,
        coalesce(sum(hits) filter (where tier = 1), 0)::integer as hits_1,
        coalesce(sum(hits) filter (where tier = 2), 0)::integer as hits_2,
        coalesce(sum(hits) filter (where tier = 3), 0)::integer as hits_3,
        coalesce(sum(visits) filter (where tier = 1), 0)::integer as visits_1,
        coalesce(sum(visits) filter (where tier = 2), 0)::integer as visits_2,
        coalesce(sum(visits) filter (where tier = 3), 0)::integer as visits_3,
        coalesce(sum(visitors) filter (where tier = 2), 0)::integer as visitors_2,
        coalesce(sum(visitors) filter (where tier = 3), 0)::integer as visitors_3
      from sums s left join prop_texts p on s.dimension = dimension_number('prop') and p.id = s.value
      group by s.dimension, s.value, p.event, p.value
      order by s.dimension, s.value
    ) c
    group by dimension, event
  ),
  gaps as (
    select
      dimension, event, array_agg(value) as gap_value, array_agg(prop) as gap_prop,
      array_agg(tier::smallint) as gap_tier, array_agg(gap::smallint) as gap, array_agg(returned) as returned,
      array_agg(resumed) as resumed
    from (
      select
        g.dimension, g.value, p.event, p.value as prop, tier, gap, sum(returned)::integer as returned,
        sum(resumed)::integer as resumed
      from (
        select dimension, value, tier, gap, visitors as returned, 0 as resumed
        from sums
        where visitors > 0
        union all
        select dimension, value, tier, of_day - last_day, 0, 1
        from taken
        where hits > 0 and counted and tier > 1
      ) g
      left join prop_texts p on g.dimension = dimension_number('prop') and p.id = g.value
      where gap <= seal_memory()
      group by g.dimension, g.value, p.event, p.value, tier, gap
      order by g.dimension, g.value, tier, gap
    ) g
    group by dimension, event
  ),
  revenue as (
    insert into rollup_revenue (site_key, bucket, dimension, value, currency, amount_1, amount_2, amount_3)
    select
      of_site, of_day, dimension, value, currency, sum(amount) filter (where tier = 1),
      sum(amount) filter (where tier = 2), sum(amount) filter (where tier = 3)
    from (
      select
        dimension, value, tier,
        data #>> '{revenue,currency}' as currency,
        (data #>> '{revenue,amount}')::numeric as amount
      from (
        select dimension_number('event') as dimension, text_id as value, tier, data
        from hits
        where kind = 2 and day = of_day and not only_targets
        union all
        select dimension_number('goal'), t.goal, tier, data
        from hits join targets t using (kind, text_id)
        where t.goal is not null and began_on = of_day
      ) hit
      where data ? 'revenue'
    ) r
    group by dimension, value, currency
  ),
  written as (
    insert into rollup_props (
      site_key, bucket, event, value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2, visitors_3,
      gap_value, gap_tier, gap, returned, resumed
    )
    select
      of_site, of_day, event, prop, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2, visitors_3,
      gap_prop, gap_tier, gap, returned, resumed
    from counts left join gaps using (dimension, event)
    where event is not null
  )
  insert into rollup_values (
    site_key, bucket, span, dimension, value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2,
    visitors_3, gap_value, gap_tier, gap, returned, resumed
  )
  select
    of_site, of_day, 1, dimension, value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2,
    visitors_3, gap_value, gap_tier, gap, returned, resumed
  from counts left join gaps using (dimension)
  where counts.event is null;

  update sealed_days set targets = version where site_key = of_site and span = 1 and bucket = of_day;
  return found;
end
$$;
