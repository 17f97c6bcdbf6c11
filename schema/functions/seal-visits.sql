-- The visits that a day's seal is made of.

-- For how many days a seal knows that a visitor had a value before. No report asks for more.
create or replace function seal_memory() returns integer
language sql immutable parallel safe as $$
  select 400
$$;

-- A day that is being sealed: its zone, where it begins and ends, the instant up to which its visits are in the seal,
-- and the version of its site's goals and funnels. Nulls: the day has no seal any more.
create or replace function day_of_seal(
  of_site integer, of_day date, out zone text, out start_at timestamptz, out end_at timestamptz,
  out until_at timestamptz, out targets integer
)
language sql stable as $$
  select timezone, day_start(of_day, timezone), day_start(of_day + 1, timezone), d.until, s.targets
  from sites
  join sealed_days d on d.site_key = key
  join site_seals s on s.site_key = key
  where key = of_site and d.span = 1 and d.bucket = of_day
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

-- Why a visit makes shares approximate: 1, it has no visitor; 2, it goes on from another visit; 3, nobody was seen.
-- Only visits with a page view, a custom event or a page of consent. And 4: it counts.
create or replace function reach_of_visit(
  tier smallint, seen boolean, counted boolean, continued boolean, entry_page integer, custom_events integer[],
  consent_page integer
)
returns table (reason integer)
language sql immutable parallel safe rows 1 as $$
  select 1
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
$$;

-- Why a conversion is of no counted visit of tiers 2 and 3: 1, it is anonymous; 2, its visit goes on from another one;
-- 3, a server sent it outside of any visit. Null: it is of one.
create or replace function conversion_apart(tier smallint, seen boolean, counted boolean) returns integer
language sql immutable parallel safe as $$
  select case
    when tier = 1 then 1
    when counted then null
    when seen then 2
    else 3
  end
$$;

-- The closed visits of a day, and the earlier ones, without a number, of each of their visitors who isn't new: for
-- goals alone, of those who reached one. Scans the visits of the day once, and by `visits_by_visitor` the earlier
-- ones. `began_on`: null if the visit began before the day and has something in it. `alone`: the one visit of a
-- visitor who is new. It counts without looking who it was. `visitor_id`: only of others in which somebody was seen.
-- `single`: of nobody known, with one hit that has data. `kept`: only visits that a filter keeps; null: all.
drop function if exists visits_of_seal(integer, date, text, timestamptz, timestamptz, boolean);
create or replace function visits_of_seal(
  of_site integer, of_day date, zone text, start_at timestamptz, until_at timestamptz, only_targets boolean,
  kept filter_masks
)
returns table (
  visit bigint, tier smallint, began_on date, alone boolean, seen boolean, counted boolean, continued boolean,
  came boolean, single boolean, visitor_id uuid, started_at timestamptz, profile_id integer, place_id integer,
  origin_id integer, entry_ms integer, entry_page integer, exit_page integer, consent_page integer, pageviews integer,
  later_pages integer[], custom_events integer[], event_data jsonb, page_data jsonb
)
language sql stable as $$
  with present as materialized (
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
          case when started_at >= start_at then of_day end as began_on,
          coalesce(newcomer and started_at >= start_at, false) as is_new
        from closed_visits(of_site, of_day, start_at, until_at)
        where kept is null
          or is_kept(
      kept, tier, counted, profile_id, place_id, origin_id, entry_page, later_pages, custom_events, event_data,
      page_data
    )
      ) v
    ) v
  ),
  goals as materialized (select distinct kind, text_id from texts_of_targets(of_site) where goal is not null)
  select
    visit, tier, began_on, alone, seen, counted, continued, not continued and (tier > 1 or counted),
    known_id is null and coalesce(jsonb_array_length(event_data), 0) + coalesce(jsonb_array_length(page_data), 0) = 1,
    known_id, started_at, profile_id, place_id, origin_id, entry_ms, entry_page,
    coalesce(later_pages[cardinality(later_pages)], entry_page),
    consent_page,
    (entry_page is not null)::integer + coalesce(cardinality(later_pages), 0) / 2,
    later_pages, custom_events, event_data, page_data
  from present
  union all
  select
    null, e.tier, (e.started_at at time zone zone)::date, false, true, false, e.continued, not e.continued, false,
    e.visitor_id, e.started_at, e.profile_id, e.place_id, e.origin_id, e.entry_ms, e.entry_page,
    coalesce(e.later_pages[cardinality(e.later_pages)], e.entry_page),
    null, 0, e.later_pages, e.custom_events, e.event_data, e.page_data
  from (
    select tier, known_id
    from present
    where known_id is not null
      and (
        not only_targets
          or exists (
            select
            from hits_of_visit(entry_ms, entry_page, later_pages, custom_events, event_data)
            join goals using (kind, text_id)
          )
      )
    group by tier, known_id
    having not bool_or(is_new)
  ) who
  cross join lateral earlier_visits(of_site, who.tier, who.known_id, start_at) e
  where kept is null
    or is_kept(
      kept, e.tier, e.counted, e.profile_id, e.place_id, e.origin_id, e.entry_page, e.later_pages, e.custom_events,
      e.event_data, e.page_data
    )
$$;

-- The hits of such a visit: page views (kind 1), custom events (2), what page views brought (3), and the page of
-- consent (4). `day`: null for what an earlier visit had in the day, which the day's own visits have too.
create or replace function hits_of_seal(
  of_day date, zone text, start_at timestamptz, end_at timestamptz, visit bigint, started_at timestamptz,
  entry_ms integer, entry_page integer, later_pages integer[], custom_events integer[], event_data jsonb,
  page_data jsonb, consent_page integer
)
returns table (kind integer, ms integer, text_id integer, data jsonb, day date)
language sql stable parallel safe rows 4 as $$
  select
    hit.kind, hit.ms, hit.text_id, hit.data,
    case
      when at.time < start_at then (at.time at time zone zone)::date
      when visit is null then null
      when at.time < end_at then of_day
      else of_day + 1
    end
  from (
    select *
    from hits_with_page_data(entry_ms, entry_page, later_pages, custom_events, event_data, page_data)
    union all
    select 4, 0, consent_page, null
    where consent_page is not null
  ) hit
  cross join lateral (select started_at + hit.ms * interval '1 millisecond' as time) at
$$;
