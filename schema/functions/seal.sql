-- How a day is sealed (schema/migrations/0007-sealed.sql says what that is).

-- Begins to seal a day: from now on a change breaks it. False: nothing of it can be sealed yet. Waits for a batch of the
-- site that is being folded, and keeps the next ones waiting while it looks for open visits, in one scan of a day's visits.
create or replace function begin_seal(of_site integer, of_day date, instant timestamptz) returns boolean
language plpgsql set jit = off as $$
declare
  -- A visit that had nothing for so long is over, but for events that come late. All that began since then stay out: reports find them
  -- side by side, where each of `open_visits` costs a probe.
  closed_before constant timestamptz := instant - interval '35 minutes';
  site uuid;
  start_at timestamptz;
  until_at timestamptz;
begin
  select id, day_start(of_day, timezone), least(day_start(of_day + 1, timezone), closed_before)
  into site, start_at, until_at from sites where key = of_site;
  -- What was imported has no visits that it could be made of again.
  if site is null or until_at <= start_at
    or exists (select from imported_days where site_key = of_site and day = of_day) then
    return false;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('seal ' || of_site, 0));
  perform pg_advisory_xact_lock(hashtextextended(site::text, 0));
  perform name_values(of_site);
  delete from sealed_days where site_key = of_site and bucket <= of_day and bucket + span > of_day;
  delete from open_visits where site_key = of_site and day = of_day;
  insert into open_visits (site_key, day, tier, visitor_id, started_at)
  select of_site, of_day, tier, visitor_id, started_at
  from visits
  where site_key = of_site and visitor_id is not null and profile_id > 0 and started_at < until_at
    and started_at >= greatest(start_at, closed_before) - interval '1 day'
    and quarter_hour(started_at) >= quarter_hour(greatest(start_at, closed_before) - interval '1 day') and quarter_hour(started_at) < until_at
    and visit_time(started_at, duration_ms) > closed_before
  union
  select of_site, of_day, tier, visitor_id, started_at
  from visits
  where site_key = of_site and visitor_id is not null and duration_ms >= 86400000 and started_at < until_at
    and started_at >= start_at - interval '24 days'
    and visit_time(started_at, duration_ms) > closed_before;
  insert into sealed_days (site_key, span, bucket, until, ready) values (of_site, 1, of_day, until_at, false);
  update site_seals set until = greatest(until, until_at) where site_key = of_site;
  return true;
end
$$;

-- Ends what `begin_seal` began, in a transaction of its own: writes the day's rows, merges what they complete, and lets reports use them. False: a change
-- broke the seal meanwhile. Reads the visits of the day and, of each of their visitors who isn't new, the earlier ones (`visits_visitors`).
create or replace function end_seal(of_site integer, of_day date) returns boolean
language plpgsql set jit = off as $$
declare
  zone text;
  start_at timestamptz;
  end_at timestamptz;
  until_at timestamptz;
  devices integer[];
  browsers integer[];
  systems integer[];
  languages integer[];
  countries integer[];
  regions integer[];
  cities integer[];
  sources integer[];
  channels integer[];
  utm_sources integer[];
  utm_mediums integer[];
  utm_campaigns integer[];
  utm_terms integer[];
  utm_contents integer[];
  hostnames integer[];
begin
  perform pg_advisory_xact_lock(hashtextextended('seal ' || of_site, 0));
  select timezone, day_start(of_day, timezone), day_start(of_day + 1, timezone), until
  into zone, start_at, end_at, until_at
  from sites join sealed_days on site_key = key
  where key = of_site and span = 1 and bucket = of_day and not ready;
  if zone is null then
    return false;
  end if;

  delete from rollup_values where site_key = of_site and span = 1 and bucket = of_day;
  delete from rollup_revenue where site_key = of_site and bucket = of_day;
  -- A day that nobody came on has no rows.
  if exists (
    select from visits
    where site_key = of_site and profile_id > 0 and started_at >= start_at - interval '1 day' and started_at < until_at
      and quarter_hour(started_at) >= start_at - interval '1 day' and quarter_hour(started_at) < until_at
      and visit_time(started_at, duration_ms) >= start_at)
    or exists (
      select from visits
      where site_key = of_site and duration_ms >= 86400000 and started_at >= start_at - interval '24 days' and started_at < start_at)
  then
    -- Values by the ids of entries, which have no gaps; 0 is none.
    select array_agg(text_id order by id) filter (where dimension = 'device'),
      array_agg(text_id order by id) filter (where dimension = 'browser'),
      array_agg(text_id order by id) filter (where dimension = 'os'),
      array_agg(text_id order by id) filter (where dimension = 'language')
    into devices, browsers, systems, languages
    from value_ids(of_site, 'profile');
    select array_agg(text_id order by id) filter (where dimension = 'country'),
      array_agg(text_id order by id) filter (where dimension = 'region'),
      array_agg(text_id order by id) filter (where dimension = 'city')
    into countries, regions, cities
    from value_ids(of_site, 'place');
    select array_agg(text_id order by id) filter (where dimension = 'source'),
      array_agg(text_id order by id) filter (where dimension = 'channel'),
      array_agg(text_id order by id) filter (where dimension = 'utm_source'),
      array_agg(text_id order by id) filter (where dimension = 'utm_medium'),
      array_agg(text_id order by id) filter (where dimension = 'utm_campaign'),
      array_agg(text_id order by id) filter (where dimension = 'utm_term'),
      array_agg(text_id order by id) filter (where dimension = 'utm_content'),
      array_agg(text_id order by id) filter (where dimension = 'hostname')
    into sources, channels, utm_sources, utm_mediums, utm_campaigns, utm_terms, utm_contents, hostnames
    from value_ids(of_site, 'origin');

    with
    -- What happened in the day: visits that began in it, and those from before that reached into it.
    current as materialized (
      select row_number() over () as visit, tier, visitor_id, started_at, counted, continued, profile_id, place_id, origin_id,
        entry_ms, entry_page, later_pages, custom_events, event_data,
        is_seen(counted, continued, entry_page, custom_events) as seen, started_at >= start_at as begun,
        coalesce(newcomer and started_at >= start_at, false) as is_new,
        (entry_page is not null)::integer + coalesce(cardinality(later_pages), 0) / 2 as pages
      from visits v
      where site_key = of_site and profile_id > 0 and started_at < until_at
        and started_at >= start_at - interval '24 days'
        and (quarter_hour(started_at) >= start_at and quarter_hour(started_at) < until_at
          or quarter_hour(started_at) >= start_at - interval '1 day' and quarter_hour(started_at) < start_at
            and visit_time(started_at, duration_ms) >= start_at
          or duration_ms >= 86400000 and started_at >= start_at - interval '24 days' and visit_time(started_at, duration_ms) >= start_at)
        and not exists (
          select from open_visits o
          where o.site_key = of_site and o.day = of_day and o.tier = v.tier and o.visitor_id = v.visitor_id and o.started_at = v.started_at)
    ),
    -- What those of its visitors had before who aren't new.
    earlier as materialized (
      select who.tier, who.visitor_id, e.started_at, (e.started_at at time zone zone)::date as day, e.continued, e.profile_id, e.place_id, e.origin_id,
        e.entry_ms, e.entry_page, e.later_pages, e.custom_events, e.seen
      from (select tier, visitor_id from current where visitor_id is not null group by tier, visitor_id having not bool_or(is_new)) who
      cross join lateral (
        select *, is_seen(counted, continued, entry_page, custom_events) as seen
        from visits e
        where e.site_key = of_site and uuid_hash(e.visitor_id) = uuid_hash(who.visitor_id) and e.visitor_id = who.visitor_id and e.tier = who.tier
          and e.started_at < start_at and e.started_at >= start_at - case who.tier when 2 then interval '3 days' else interval '400 days' end
        offset 0
      ) e
    ),
    hits as materialized (
      select visit, hit.dimension, hit.value, tier, case when seen then visitor_id end as visitor_id, counted,
        ((started_at + hit.ms * interval '1 millisecond') at time zone zone)::date as day
      from current
      cross join lateral (
        select 16 as dimension, coalesce(entry_ms, 0) as ms, entry_page as value where entry_page is not null
        union all select 16, ms, text_id from hits_of(later_pages)
        union all select 19, ms, text_id from hits_of(custom_events)
      ) hit
      where started_at + hit.ms * interval '1 millisecond' < end_at
    ),
    -- The days of consented visitors, each with the first. Not joined to `earlier`, of which the planner expects so little that it would
    -- go through all of it for each of them.
    cohorts as materialized (
      select visitor_id, day, first_day - date '2001-01-01' as cohort
      from (
        select visitor_id, day, min(day) over visitor as first_day, max(day) over visitor as last_day
        from (
          select visitor_id, of_day as day from current where begun and seen and tier = 3
          union all select visitor_id, day from earlier where seen and tier = 3
        ) v
        window visitor as (partition by visitor_id)
      ) v
      where last_day = of_day
    ),
    totals as (
      select dimension, value, tier, sum(hits) as hits, sum(visits) as visits
      from (
        select 23 as dimension, cohort as value, 3 as tier, 0 as hits, 0 as visits from cohorts group by cohort
        union all
        select d.dimension, d.value, tier, hits, visits
        from (select profile_id, tier, sum(pages) as hits, count(*) filter (where counted) as visits from current where begun and seen group by 1, 2) c
        cross join lateral (values
          (12, devices[profile_id]), (13, browsers[profile_id]),
          (14, case when tier = 3 then systems[profile_id] end), (15, case when tier > 1 then languages[profile_id] end)
        ) as d(dimension, value)
        union all
        select d.dimension, d.value, tier, hits, visits
        from (select place_id, tier, sum(pages) as hits, count(*) filter (where counted) as visits from current where begun and seen group by 1, 2) c
        cross join lateral (values
          (9, countries[place_id]), (10, case when tier > 1 then regions[place_id] end), (11, case when tier > 1 then cities[place_id] end)
        ) as d(dimension, value)
        union all
        select d.dimension, d.value, tier, hits, visits
        from (
          select origin_id, tier, not continued and (tier > 1 or counted) as came, sum(pages) as hits, count(*) filter (where counted) as visits
          from current where begun and seen group by 1, 2, 3
        ) c
        cross join lateral (
          select 8, hostnames[origin_id]
          union all select * from (values
            (1, sources[origin_id]), (2, channels[origin_id]), (3, utm_sources[origin_id]), (4, utm_mediums[origin_id]),
            (5, utm_campaigns[origin_id]), (6, utm_terms[origin_id]), (7, utm_contents[origin_id])
          ) as c where came
        ) as d(dimension, value)
        union all
        select d.dimension, d.value, tier, pages, counted::integer
        from current
        cross join lateral (
          select 17, entry_page where not continued and (tier > 1 or counted)
          union all select 18, coalesce(later_pages[cardinality(later_pages)], entry_page) where tier > 1
        ) as d(dimension, value)
        where begun and entry_page is not null
        union all
        select dimension, value, tier, count(*), count(distinct visit) filter (where counted)
        from hits where day = of_day group by 1, 2, 3
      ) t
      where value > 0
      group by 1, 2, 3
    ),
    had as (
      select d.dimension, d.value, tier, visitor_id, day
      from (
        select tier, visitor_id, of_day as day, continued, profile_id, place_id, origin_id, entry_page,
          coalesce(later_pages[cardinality(later_pages)], entry_page) as exit_page
        from current where begun and seen and visitor_id is not null
        union all
        select tier, visitor_id, day, continued, profile_id, place_id, origin_id, entry_page,
          coalesce(later_pages[cardinality(later_pages)], entry_page)
        from earlier where seen
      ) v
      cross join lateral (
        values (12, devices[profile_id]), (13, browsers[profile_id]), (14, case when tier = 3 then systems[profile_id] end), (15, languages[profile_id]),
          (9, countries[place_id]), (10, regions[place_id]), (11, cities[place_id]), (8, hostnames[origin_id]), (18, exit_page)
        union all select * from (values
          (1, sources[origin_id]), (2, channels[origin_id]), (3, utm_sources[origin_id]), (4, utm_mediums[origin_id]),
          (5, utm_campaigns[origin_id]), (6, utm_terms[origin_id]), (7, utm_contents[origin_id]), (17, entry_page)
        ) as c where not continued
      ) as d(dimension, value)
      union all
      select 23, cohort, 3, visitor_id, day from cohorts
      union all
      select dimension, value, tier, visitor_id, day from hits where visitor_id is not null
      union all
      select hit.dimension, hit.value, tier, visitor_id, ((started_at + hit.ms * interval '1 millisecond') at time zone zone)::date
      from earlier
      cross join lateral (
        select 16 as dimension, coalesce(entry_ms, 0) as ms, entry_page as value where entry_page is not null
        union all select 16, ms, text_id from hits_of(later_pages)
        union all select 19, ms, text_id from hits_of(custom_events)
      ) hit
      where seen and started_at + hit.ms * interval '1 millisecond' < start_at
    ),
    pairs as (
      select dimension, value, tier, of_day - max(day) filter (where day < of_day) as gap
      from had
      where value > 0
      group by dimension, value, tier, visitor_id
      having max(day) = of_day
    ),
    resumed as (
      select dimension, value, tier, of_day - max(day) filter (where day < of_day) as gap
      from hits
      where counted and tier > 1
      group by dimension, value, tier, visit
      having max(day) = of_day and min(day) < of_day
    ),
    visitors as (
      select dimension, value, tier, count(*) as visitors from pairs group by 1, 2, 3
    ),
    -- Gaps over 400 days come of visits that lasted for days; nobody asks for more.
    gaps as (
      select dimension, array_agg(value) as gap_value, array_agg(tier::smallint) as gap_tier, array_agg(gap::smallint) as gap,
        array_agg(returned::integer) as returned, array_agg(resumed::integer) as resumed
      from (
        select dimension, value, tier, gap, sum(visitors) as returned, sum(resumed) as resumed
        from (
          select dimension, value, tier, gap, 1 as visitors, 0 as resumed from pairs
          union all select dimension, value, tier, gap, 0, 1 from resumed
        ) g
        where gap <= 400
        group by dimension, value, tier, gap
        order by dimension, value, tier, gap
      ) g
      group by dimension
    ),
    columns as (
      select dimension, value,
        coalesce(sum(hits) filter (where tier = 1), 0)::integer as hits_1, coalesce(sum(hits) filter (where tier = 2), 0)::integer as hits_2,
        coalesce(sum(hits) filter (where tier = 3), 0)::integer as hits_3,
        coalesce(sum(visits) filter (where tier = 1), 0)::integer as visits_1, coalesce(sum(visits) filter (where tier = 2), 0)::integer as visits_2,
        coalesce(sum(visits) filter (where tier = 3), 0)::integer as visits_3,
        coalesce(sum(visitors) filter (where tier = 2), 0)::integer as visitors_2, coalesce(sum(visitors) filter (where tier = 3), 0)::integer as visitors_3
      from totals left join visitors using (dimension, value, tier)
      group by dimension, value
      order by dimension, value
    ),
    revenue as (
      insert into rollup_revenue (site_key, bucket, dimension, value, currency, amount_1, amount_2, amount_3)
      select of_site, of_day, 19, event.text_id, event.data #>> '{revenue,currency}' as currency,
        sum((event.data #>> '{revenue,amount}')::numeric) filter (where tier = 1),
        sum((event.data #>> '{revenue,amount}')::numeric) filter (where tier = 2),
        sum((event.data #>> '{revenue,amount}')::numeric) filter (where tier = 3)
      from current cross join lateral events_of(custom_events, event_data) event
      where event_data is not null and event.data ? 'revenue'
        and ((started_at + event.ms * interval '1 millisecond') at time zone zone)::date = of_day
      group by event.text_id, currency
    )
    insert into rollup_values (
      site_key, bucket, span, dimension, value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2, visitors_3,
      gap_value, gap_tier, gap, returned, resumed)
    select of_site, of_day, 1, c.*, gap_value, gap_tier, gap, returned, resumed
    from (
      select dimension, array_agg(value), array_agg(hits_1), array_agg(hits_2), array_agg(hits_3), array_agg(visits_1), array_agg(visits_2),
        array_agg(visits_3), array_agg(visitors_2), array_agg(visitors_3)
      from columns group by dimension
    ) c
    left join gaps using (dimension);
  end if;

  perform seal_journeys(of_site, of_day, start_at, least(end_at, until_at));
  perform seal_props(of_site, of_day, start_at, end_at, until_at);
  update sealed_days set ready = true where site_key = of_site and span = 1 and bucket = of_day and not ready;
  if not found then
    return false;
  end if;
  perform seal_targets(of_site, of_day);
  perform merge_block(of_site, 7, block_start(of_day, 7));
  perform merge_block(of_site, 28, block_start(of_day, 28));
  perform note_sealed(of_site, end_at);
  return true;
end
$$;
