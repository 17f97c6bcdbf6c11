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

-- The closed visits of a day, and the earlier ones, without a number, of each of their visitors who isn't new: for
-- goals alone, of those who reached one. Scans the visits of the day once, and by `visits_by_visitor` the earlier
-- ones. `alone`: the one visit of a visitor who is new. It counts without looking who it was. `visitor_id`: only of
-- others in which somebody was seen. `began_on`: null if the visit began before the day and has something in it.
-- `single`: one hit with data of nobody known.
create or replace function visits_of_seal(
  of_site integer, of_day date, zone text, start_at timestamptz, until_at timestamptz, only_targets boolean
)
returns table (
  visit bigint, tier smallint, visitor_id uuid, alone boolean, seen boolean, counted boolean, continued boolean,
  began_on date, started_at timestamptz, profile_id integer, place_id integer, origin_id integer, entry_ms integer,
  entry_page integer, later_pages integer[], custom_events integer[], event_data jsonb, page_data jsonb,
  consent_page integer, single boolean
)
language sql stable as $$
  with present as materialized (
    select
      *,
      case when seen and not alone then visitor_id end as known_id,
      (alone or not seen)
        and coalesce(jsonb_array_length(event_data), 0) + coalesce(jsonb_array_length(page_data), 0) = 1 as single
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
      ) v
    ) v
  ),
  goals as materialized (select distinct kind, text_id from texts_of_targets(of_site) where goal is not null)
  select
    visit, tier, known_id, alone, seen, counted, continued, began_on, started_at, profile_id, place_id, origin_id,
    entry_ms, entry_page, later_pages, custom_events, event_data, page_data, consent_page, single
  from present
  union all
  select
    null, e.tier, e.visitor_id, false, true, false, e.continued, (e.started_at at time zone zone)::date, e.started_at,
    e.profile_id, e.place_id, e.origin_id, e.entry_ms, e.entry_page, e.later_pages, e.custom_events, e.event_data,
    e.page_data, null, false
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
$$;

-- What these visits had: themselves (kind 0, those in which somebody was seen), page views (1), custom events (2),
-- what page views brought (3), the page of consent (4), and for visits that began in the day why they make shares
-- approximate (5). `day`: null for what earlier visits had in the day, which its own visits have too. `entries`, of a
-- visit: ids of its profile, place and origin, and its entry page and exit page.
create or replace function hits_of_seal(
  of_site integer, of_day date, zone text, start_at timestamptz, end_at timestamptz, until_at timestamptz,
  only_targets boolean
)
returns table (
  kind integer, ms integer, text_id integer, data jsonb, day date, visit bigint, tier smallint, visitor_id uuid,
  alone boolean, counted boolean, began_on date, single boolean, came boolean, pageviews integer, entries integer[]
)
language sql stable as $$
  select
    hit.kind, hit.ms, hit.text_id, hit.data,
    case
      when at.time < start_at then (at.time at time zone zone)::date
      when v.visit is null then null
      when at.time < end_at then of_day
      else of_day + 1
    end,
    v.visit, v.tier, v.visitor_id, v.alone, v.counted, v.began_on, v.single,
    hit.kind = 0 and not v.continued and (v.tier > 1 or v.counted),
    hit.pageviews, hit.entries
  from visits_of_seal(of_site, of_day, zone, start_at, until_at, only_targets) v
  cross join lateral (
    select
      0 as kind, 0 as ms, null::integer as text_id, null::jsonb as data,
      (v.entry_page is not null)::integer + coalesce(cardinality(v.later_pages), 0) / 2 as pageviews,
      array[
        v.profile_id, v.place_id, v.origin_id, v.entry_page,
        coalesce(v.later_pages[cardinality(v.later_pages)], v.entry_page)
      ] as entries
    where not only_targets and v.seen and v.began_on is not null
    union all
    select kind, ms, text_id, data, null, null
    from hits_with_page_data(v.entry_ms, v.entry_page, v.later_pages, v.custom_events, v.event_data, v.page_data)
    union all
    select 4, 0, v.consent_page, null, null, null
    where v.consent_page is not null
    union all
    select 5, 0, reason, null, null, null
    from reach_of_visit(v.tier, v.seen, v.counted, v.continued, v.entry_page, v.custom_events, v.consent_page)
    where v.visit is not null and v.began_on is not null
  ) hit
  cross join lateral (select v.started_at + hit.ms * interval '1 millisecond' as time) at
$$;
