-- The fold stores a batch of events and brings visits and rollups up to date. `ingest_events`, at the end of this
-- file, names the steps in their order. Steps pass events and visits on as arrays of rows. PostgreSQL plans a
-- function in SQL as a part of the statement that calls it, and keeps the plan of each statement of a function in
-- PL/pgSQL.

-- Batches that share a site take turns, sites always in the same order.
create or replace function take_turns(batch jsonb) returns void
language plpgsql as $$
begin
  perform pg_advisory_xact_lock(s.lock_key)
  from (
    select distinct hashtextextended((b.event ->> 'siteId')::uuid::text, 0) as lock_key
    from jsonb_array_elements(batch) as b(event)
    order by 1
  ) s;
end
$$;

create or replace function ensure_batch_partitions(batch jsonb) returns void
language plpgsql as $$
begin
  perform ensure_partition('events', days.noon), ensure_partition('visits', days.noon)
  from (
    select (d.day + time '12:00') at time zone 'UTC' as noon
    from (select distinct utc_day((b.event ->> 'at')::bigint) as day from jsonb_array_elements(batch) as b(event)) d
  ) days;
end
$$;

-- Late events change measures that are summed already; all others find nothing to open.
create or replace function reopen_measures_of(fresh events[]) returns void
language plpgsql as $$
begin
  perform reopen_measures(told.site_key, told.first_at, told.last_at)
  from (
    select site_key, min(occurred_at) as first_at, max(occurred_at) as last_at
    from unnest(fresh)
    where tier = 3 and kind in (1, 3, 4)
    group by site_key
  ) told;
end
$$;

-- The events of the batch that aren't stored yet, without ids of values: what these are to stand for, and where each
-- event stands in the batch. `repeated` counts the others.
create or replace function read_events(
  batch jsonb, memory_start timestamptz, out fresh events[], out paths text[], out names text[], out profiles text[],
  out places text[], out origins text[], out positions bigint[], out repeated integer
)
language plpgsql as $$
begin
  with input as materialized (
    select distinct on (sites.key, b.id) sites.key as site_key,
      b.id as event_id, b.kind, b.tier, b."visitorId" as visitor_id,
      coalesce(b.continued, false) as continued,
      b.entry, b.path, b.name,
      'epoch'::timestamptz + b.at * interval '1 millisecond' as occurred_at,
      b.screen, b."pageId" as page_id, b."engagedMs" as engaged_ms, b."scrollDepth" as scroll_depth, b.data,
      profile_key(b.event, coalesce(sites.first_domain, sites.domain)) as profile,
      place_key(b.event, coalesce(sites.first_domain, sites.domain)) as place,
      origin_key(b.event, coalesce(sites.first_domain, sites.domain)) as origin,
      b.ordinality as position
    from rows from (
      jsonb_array_elements(batch),
      jsonb_to_recordset(batch) as (
        "siteId" uuid, id uuid, at bigint, kind smallint, tier smallint, "visitorId" uuid, continued boolean,
        entry boolean, path text, name text, screen text, "pageId" uuid, "engagedMs" integer, "scrollDepth" real,
        data jsonb
      )
    ) with ordinality as b(event)
    join sites on sites.id = b."siteId"
    order by sites.key, b.id, b.at, b.tier
  ),
  unknown as (
    select input.*
    from input
    -- One probe of the primary key an event: the planner would rather read all of a partition that it has no
    -- statistics of.
    left join lateral (
      select true as is_known
      from events e
      where e.site_key = input.site_key and e.event_id = input.event_id and e.occurred_at > memory_start
      limit 1
    ) as stored_before on true
    where stored_before.is_known is null
  )
  select
    coalesce(
      array_agg(
        event_row(
          occurred_at => occurred_at, event_id => event_id, visitor_id => visitor_id, page_id => page_id,
          site_key => site_key, engaged_ms => engaged_ms, scroll_depth => scroll_depth, kind => kind, tier => tier,
          continued => continued, entry => entry, screen => screen, data => data
        )
      ),
      '{}'
    ),
    array_agg(path), array_agg(name), array_agg(profile), array_agg(place), array_agg(origin), array_agg(position),
    (select count(*) from input) - count(*)
  into fresh, paths, names, profiles, places, origins, positions, repeated
  from unknown;
end
$$;

-- The text of a site with a value, and whether its days don't have `day` yet; none if the event has its id already. By
-- the index of values. Inlined where it is used.
create or replace function text_with_value(of_site integer, of_value text, known_id integer, day date)
returns table (id integer, stale boolean)
language sql stable parallel safe as $$
  select t.id, text_with_value.day not between t.first_day and t.last_day
  from site_texts t
  where known_id is null and t.site_key = of_site and t.value = of_value
  offset 0
$$;

-- The events with the ids of their values, as far as there are any. `lacking`: dictionaries that lack some of these,
-- and `lacking_at`, for which of the events. `stale`: those with values that weren't named on their days before.
create or replace function look_up_values(
  fresh events[], paths text[], names text[], profiles text[], places text[], origins text[], positions bigint[],
  out named events[], out lacking text[], out lacking_at bigint[], out stale events[]
)
language plpgsql as $$
begin
  select
    array_agg(
      event_row(
        occurred_at => occurred_at, event_id => event_id, visitor_id => visitor_id, page_id => page_id,
        site_key => site_key, path_id => path_id, name_id => name_id, profile_id => profile_id, place_id => place_id,
        origin_id => origin_id, engaged_ms => engaged_ms, scroll_depth => scroll_depth, kind => kind, tier => tier,
        continued => continued, entry => entry, screen => screen, data => data
      )
    ),
    array_remove(
      array[
        case when bool_or(lacks_text) then 'text' end,
        case when bool_or(profile_id is null) then 'profile' end,
        case when bool_or(place_id is null) then 'place' end,
        case when bool_or(origin_id is null) then 'origin' end
      ],
      null
    ),
    array_agg(position) filter (where lacks_text or profile_id is null or place_id is null or origin_id is null),
    array_agg(
      event_row(
        occurred_at => occurred_at, event_id => event_id, visitor_id => visitor_id, page_id => page_id,
        site_key => site_key, path_id => path_id, name_id => name_id, profile_id => profile_id, place_id => place_id,
        origin_id => origin_id, kind => kind, tier => tier
      )
    ) filter (where is_stale)
  into named, lacking, lacking_at, stale
  from (
    select
      e.occurred_at, e.event_id, e.visitor_id, e.page_id, e.site_key,
      coalesce(e.path_id, path_text.id) as path_id,
      coalesce(e.name_id, name_text.id) as name_id,
      coalesce(e.profile_id, known_profile.id) as profile_id,
      coalesce(e.place_id, known_place.id) as place_id,
      coalesce(e.origin_id, known_origin.id) as origin_id,
      e.engaged_ms, e.scroll_depth, e.kind, e.tier, e.continued, e.entry, e.screen, e.data, e.position,
      e.path is not null and coalesce(e.path_id, path_text.id) is null
        or e.name is not null and coalesce(e.name_id, name_text.id) is null as lacks_text,
      path_text.stale or name_text.stale or known_profile.stale or known_place.stale or known_origin.stale as is_stale
    from (
      select *, (occurred_at at time zone 'UTC')::date as day
      from unnest(paths, names, profiles, places, origins, positions, fresh) as e(
        path, name, profile, place, origin, position
      )
    ) e
    left join lateral text_with_value(e.site_key, e.path, e.path_id, e.day) as path_text on true
    left join lateral text_with_value(e.site_key, e.name, e.name_id, e.day) as name_text on true
    left join lateral (
      select t.id, e.day not between t.first_day and t.last_day as stale
      from site_profiles t
      where e.profile_id is null and t.site_key = e.site_key and t.value = e.profile
      offset 0
    ) as known_profile on true
    left join lateral (
      select t.id, e.day not between t.first_day and t.last_day as stale
      from site_places t
      where e.place_id is null and t.site_key = e.site_key and t.value = e.place
      offset 0
    ) as known_place on true
    left join lateral (
      select t.id, e.day not between t.first_day and t.last_day as stale
      from site_origins t
      where e.origin_id is null and t.site_key = e.site_key and t.value = e.origin
      offset 0
    ) as known_origin on true
  ) e;
end
$$;

-- Stores the events of the batch that aren't stored yet, and returns them; `repeated` counts the others. `is_limited`:
-- some of them have `(other)` for what is beyond their day's limits.
drop function if exists store_events(jsonb, timestamptz);
create or replace function store_events(
  batch jsonb, memory_start timestamptz, out stored events[], out repeated integer, out is_limited boolean
)
language plpgsql as $$
declare
  input record;
  found record;
  stale events[];
  limited jsonb;
begin
  select * into input from read_events(batch, memory_start);
  stored := input.fresh;
  repeated := input.repeated;
  is_limited := false;
  if stored = '{}' then
    return;
  end if;
  select f.*
  into found
  from look_up_values(
    stored, input.paths, input.names, input.profiles, input.places, input.origins, input.positions
  ) f;
  stored := found.named;
  stale := found.stale;
  if found.lacking <> '{}' then
    limited := admit_values(
      (select jsonb_agg(batch -> n::integer - 1) from unnest(found.lacking_at) as n),
      found.lacking
    );
    is_limited := limited is not null;
    if is_limited then
      select *
      into input
      from read_events(
        limited || (
          select coalesce(jsonb_agg(b.event), '[]')
          from jsonb_array_elements(batch) with ordinality as b(event, n)
          where n <> all (found.lacking_at)
        ),
        memory_start
      );
      stored := input.fresh;
    end if;
    select f.*
    into found
    from look_up_values(
      stored, input.paths, input.names, input.profiles, input.places, input.origins, input.positions
    ) f;
    if found.lacking <> '{}' then
      raise data_exception using message = 'dictionaries still lack values: ' || array_to_string(found.lacking, ', ');
    end if;
    stored := found.named;
    stale := stale || found.stale;
  end if;
  if stale is not null then
    perform raise_values(stale);
  end if;
  select p.admitted, p.is_limited or store_events.is_limited into stored, is_limited from admit_properties(stored) p;
  stored := mark_repeats(stored);
  insert into events select * from unnest(stored);
end
$$;

-- Each event as a visit of its own. At tier 1 it stays one; at tiers 2 and 3 `merge_visits` merges it with others.
create or replace function single_visits(fresh events[]) returns setof visits
language sql stable as $$
  select (
    visit_row(
      started_at => occurred_at, visitor_id => visitor_id, site_key => site_key,
      engaged_ms => case when tier > 1 then engaged_ms end,
      entry_page => case when kind = 1 then path_id end,
      profile_id => profile_id, place_id => place_id, origin_id => origin_id, tier => tier, continued => continued,
      counted => case when tier = 1 then kind = 1 and entry else kind = 1 or (kind = 2 and entry is null) end,
      custom_events => case when kind = 2 then array[0, name_id] end,
      event_data => case when kind = 2 and data is not null then jsonb_build_array(data) end,
      page_data => case when kind = 1
        and data ? 'props' then jsonb_build_array(jsonb_build_object('ms', 0, 'props', data -> 'props'))
      end,
      consent_page => case when kind = 6 then path_id end
    )
  ).*
  from unnest(fresh)
  where kind in (1, 2) or (tier > 1 and kind > 0)
$$;

-- The visits that the events may join, and where they are stored.
drop function if exists take_visits(events[]);
create or replace function take_visits(fresh events[], out taken visits[], out places tid[])
language plpgsql as $$
begin
  with visitors as (
    select site_key, tier, visitor_id, min(occurred_at) as first_at, max(occurred_at) as last_at
    from unnest(fresh)
    where tier > 1 and kind > 0
    group by site_key, tier, visitor_id
  )
  select coalesce(array_agg(near.visit), '{}'), coalesce(array_agg(near.place), '{}')
  into taken, places
  from visitors
  cross join lateral (
    select v as visit, v.ctid as place
    from visits v
    where v.site_key = visitors.site_key
      and v.visitor_id = visitors.visitor_id
      and v.tier = visitors.tier
      and v.started_at < visitors.last_at + session_gap()
      and v.started_at > visitors.first_at - longest_visit()
      and visit_time(v.started_at, v.duration_ms) > visitors.first_at - session_gap()
    offset 0
  ) near;
end
$$;

-- The taken visits and the events in chains with less than the session gap between neighbours. Rank 1 of a chain is
-- the entry: the first page view, or without one the first event. `shift_ms`: how long after its chain a part began.
create or replace function chained_visits(taken visits[], fresh events[])
returns table (
  part visits, chain bigint, ended_at timestamptz, chain_start timestamptz, chain_engaged bigint, rank bigint,
  shift_ms bigint
)
language sql stable as $$
  select part, chain, ended_at, chain_start, chain_engaged, rank, ms_between(chain_start, (part).started_at)::bigint
  from (
    select
      part, chain, ended_at,
      min((part).started_at) over chain_of as chain_start,
      sum((part).engaged_ms) over chain_of as chain_engaged,
      row_number() over (partition by chain order by entry_at, (part).started_at) as rank
    from (
      select
        *,
        count(*) filter (where begins) over (
          order by (part).site_key,
            (part).tier, (part).visitor_id, (part).started_at, ended_at rows unbounded preceding
        ) as chain
      from (
        select *, coalesce((part).started_at >= max(ended_at) over before + session_gap(), true) as begins
        from (
          select
            part,
            visit_time((part).started_at, (part).duration_ms) as ended_at,
            case when (part).entry_page is not null then visit_time((part).started_at, (part).entry_ms)
            end as entry_at
          from (
            select part
            from unnest(taken) as part
            union all
            select part
            from single_visits(fresh) as part
            where part.tier > 1
          ) parts
        ) timed
        window before as (
          partition by (part).site_key, (part).tier, (part).visitor_id
          order by (part).started_at, ended_at rows between unbounded preceding and 1 preceding
        )
      ) linked
    ) chained
    window chain_of as (partition by chain)
  ) ranked
  offset 0
$$;

-- Data of a visit's hits, in order of time, with properties up to the limit of the visit; from there on each hit has a
-- mark in their place. What no hit after the last one with data needs is left out. Null without any data.
create or replace function kept_data(data_of_hits jsonb[]) returns table (kept jsonb)
language sql immutable parallel safe rows 1 as $$
  select jsonb_agg(
    case when is_over and data ? 'props' then data - 'props' || '{"cut": "visit"}' else data end
    order by n
  ) filter (where n <= last_with_data)
  from (
    select
      data, n,
      bool_or(data ->> 'cut' = 'visit') over in_time
        or sum(octet_length(data ->> 'props')) over in_time > kept_property_bytes() as is_over,
      max(n) filter (where data is not null) over () as last_with_data
    from unnest(data_of_hits) with ordinality as hit(data, n)
    where n <= kept_hits()
    window in_time as (order by n rows unbounded preceding)
  ) hit
$$;

-- The visits that the taken ones and the events make together. A visit is the longest chain of them with less than the
-- session gap between neighbours.
create or replace function merge_visits(taken visits[], fresh events[]) returns visits[]
language plpgsql as $$
begin
  return array(
    -- `offset 0`: what is sorted has a hit, and not all that its visit has.
    with hits as (
      select
        c.chain, (c.part).site_key, (c.part).tier, (c.part).visitor_id, c.chain_start, (c.part).started_at,
        c.ended_at, c.chain_engaged, (c.part).continued, (c.part).counted, (c.part).newcomer, (c.part).consent_page,
        (c.part).profile_id, (c.part).place_id, (c.part).origin_id, c.rank, hit.kind,
        most_ms(c.shift_ms + hit.ms) as ms, hit.text_id, hit.data, hit.data ->> 'cut' = 'visit' as is_cut
      from chained_visits(taken, fresh) c
      left join lateral hits_with_page_data(
        (c.part).entry_ms, (c.part).entry_page, (c.part).later_pages, (c.part).custom_events, (c.part).event_data,
        (c.part).page_data
      ) hit on true
      offset 0
    ),
    -- Of events of one millisecond and name those without their properties come last, as they were when they lost
    -- them.
    merged as (
      select
        site_key, tier, visitor_id, chain_start as started_at,
        nullif(ms_between(chain_start, max(ended_at)), 0) as duration_ms,
        most_ms(max(chain_engaged)) as engaged_ms,
        bool_or(continued) as continued,
        bool_or(counted) and not bool_or(continued) as counted,
        bool_or(newcomer) filter (where started_at = chain_start) as newcomer,
        max(consent_page) filter (where started_at = chain_start) as consent_page,
        array_agg(array[ms, text_id] order by ms, text_id) filter (where kind = 1) as pages,
        array_agg(array[ms, text_id] order by ms, text_id, is_cut nulls first, data) filter (
          where kind = 2
        ) as customs,
        array_agg(data order by ms, text_id, is_cut nulls first, data) filter (where kind = 2) as custom_data,
        count(data) filter (where kind = 2) > 0 as has_data,
        array_agg(jsonb_build_object('ms', ms) || data order by ms, is_cut nulls first, data) filter (
          where kind = 3
        ) as page_data,
        max(profile_id) filter (where rank = 1) as profile_id,
        max(place_id) filter (where rank = 1) as place_id,
        max(origin_id) filter (where rank = 1) as origin_id
      from hits
      group by chain, site_key, tier, visitor_id, chain_start
    )
    select visit_row(
      started_at => started_at, visitor_id => visitor_id, site_key => site_key, duration_ms => duration_ms,
      engaged_ms => engaged_ms, entry_ms => nullif(pages[1][1], 0), entry_page => pages[1][2],
      profile_id => profile_id, place_id => place_id, origin_id => origin_id, tier => tier, continued => continued,
      counted => counted, newcomer => newcomer,
      later_pages => nullif(array(select unnest(pages[2:kept_hits()])), '{}'),
      custom_events => nullif(array(select unnest(customs[1:kept_hits()])), '{}'),
      event_data => case when has_data then (select kept from kept_data(custom_data)) end,
      page_data => case when page_data is not null then (select kept from kept_data(page_data)) end,
      consent_page => consent_page
    )
    from merged
    union all
    select visit
    from single_visits(fresh) visit
    where visit.tier = 1
  );
end
$$;

-- Counts page views where they happened, and visits where they began.
create or replace function count_hours(fresh events[], taken visits[], merged visits[]) returns void
language plpgsql as $$
begin
  insert into rollup_hours (site_key, hour, tier, pageviews, visits, measured, bounces, duration_ms)
  select
    site_key, local_hour(at, timezone), tier, sum(pageviews), sum(visits), sum(measured), sum(bounces),
    sum(duration_ms)
  from (
    select
      site_key, occurred_at as at, tier, 1 as pageviews, 0 as visits, 0 as measured, 0 as bounces, 0 as duration_ms
    from unnest(fresh)
    where kind = 1
    union all
    select
      site_key, started_at, tier, 0, sign, case when tier = 3 then sign else 0 end,
      case when tier = 3 and is_bounce(later_pages, custom_events, event_data) then sign else 0 end,
      case when tier = 3 then sign * coalesce(duration_ms, 0) else 0 end
    from (select -1 as sign, * from unnest(taken) union all select 1, * from unnest(merged)) v
    where counted
  ) change
  join sites on sites.key = change.site_key
  group by 1, 2, 3
  having sum(pageviews) <> 0 or sum(visits) <> 0 or sum(bounces) <> 0 or sum(duration_ms) <> 0
  order by 1, 2, 3
  on conflict (
    site_key, hour, tier
  ) do update set
    pageviews = rollup_hours.pageviews + excluded.pageviews,
    visits = rollup_hours.visits + excluded.visits,
    measured = rollup_hours.measured + excluded.measured,
    bounces = rollup_hours.bounces + excluded.bounces,
    duration_ms = rollup_hours.duration_ms + excluded.duration_ms;
end
$$;

-- Visitors with a visit that begins where none began before, or with none where one began before. `first_start` and
-- `last_start` are the first and the last such instant.
create or replace function moved_visitors(taken visits[], merged visits[])
returns table (site_key integer, tier smallint, visitor_id uuid, first_start timestamptz, last_start timestamptz)
language sql stable as $$
  select site_key, tier, visitor_id, min(started_at), max(started_at)
  from (
    select site_key, tier, visitor_id, started_at
    from (select -1 as sign, * from unnest(taken) union all select 1, * from unnest(merged)) v
    where visitor_id is not null and is_seen(counted, continued, entry_page, custom_events, consent_page)
    group by site_key, tier, visitor_id, started_at
    having sum(sign) <> 0
  ) start
  group by site_key, tier, visitor_id
$$;

-- The other visits of moved visitors: all in the whole days around the change, the last before and the first after.
-- Without their hits: only whether there were custom events.
create or replace function other_visits(taken visits[], merged visits[]) returns visits[]
language plpgsql as $$
begin
  return array(
    with moved as materialized (
      select
        m.site_key, m.tier, m.visitor_id,
        local_day(m.first_start, timezone) as from_day,
        local_day(local_day(m.last_start, timezone) + interval '36 hours', timezone) as to_day
      from moved_visitors(taken, merged) m join sites on sites.key = m.site_key
    ),
    known as materialized (select site_key, tier, visitor_id, started_at from unnest(taken))
    select visit_row(
      started_at => o.started_at, visitor_id => o.visitor_id, site_key => o.site_key, duration_ms => o.duration_ms,
      engaged_ms => o.engaged_ms, entry_ms => o.entry_ms, entry_page => o.entry_page, profile_id => o.profile_id,
      place_id => o.place_id, origin_id => o.origin_id, tier => o.tier, continued => o.continued,
      counted => o.counted, newcomer => o.newcomer,
      custom_events => case when o.custom_events is not null then '{}'::integer[] end,
      consent_page => o.consent_page
    )
    from moved m
    cross join lateral (
      select *
      from (
        select v.*, min(v.started_at) filter (where v.started_at >= m.to_day) over () as next_at
        from visits v
        where v.site_key = m.site_key
          and v.visitor_id = m.visitor_id
          and v.tier = m.tier
          and v.started_at >= m.from_day
          and is_seen(v.counted, v.continued, v.entry_page, v.custom_events, v.consent_page)
          and (v.site_key, v.tier, v.visitor_id, v.started_at) not in (select * from known)
      ) since
      where started_at < m.to_day or started_at = next_at
      union all
      (
        select v.*, null
        from visits v
        where v.site_key = m.site_key
          and v.visitor_id = m.visitor_id
          and v.tier = m.tier
          and v.started_at < m.from_day
          and v.started_at >= m.from_day - case m.tier when 2 then interval '2 days' else interval '400 days' end
          and is_seen(v.counted, v.continued, v.entry_page, v.custom_events, v.consent_page)
          and (v.site_key, v.tier, v.visitor_id, v.started_at) not in (select * from known)
        order by v.started_at desc
        limit 1
      )
    ) o
  );
end
$$;

-- Counts moved visitors by the hours and days in which their visits begin, each with the hour or day before it.
create or replace function count_visitors(taken visits[], merged visits[], others visits[]) returns void
language plpgsql as $$
begin
  insert into rollup_visitors (site_key, unit, bucket, tier, previous, visitors)
  select site_key, unit, bucket, tier, known_previous, sum(sign)
  from (
    select
      *,
      case
        when previous is null or (unit = 'hour' and previous < bucket - interval '48 hours') then '-infinity'
        else previous
      end as known_previous
    from (
      select *, lag(bucket) over (partition by site_key, tier, visitor_id, sign, unit order by bucket) as previous
      from (
        select distinct v.site_key, v.tier, v.visitor_id, v.sign, b.unit, b.bucket
        from (select -1 as sign, * from unnest(taken || others) union all select 1, * from unnest(merged || others)) v
        join moved_visitors(taken, merged) using (site_key, tier, visitor_id)
        join sites on sites.key = v.site_key
        cross join lateral (
          values ('hour', local_hour(v.started_at, sites.timezone)), ('day', local_day(v.started_at, sites.timezone))
        ) as b(unit, bucket)
        where is_seen(v.counted, v.continued, v.entry_page, v.custom_events, v.consent_page)
      ) distinct_buckets
    ) with_previous
  ) change
  group by site_key, unit, bucket, tier, known_previous
  having sum(sign) <> 0
  order by site_key, unit, bucket, tier, known_previous
  on conflict (
    site_key, unit, bucket, tier, previous
  ) do update set visitors = rollup_visitors.visitors + excluded.visitors;
end
$$;

-- A visitor's first visit is marked as newcomer. Removes the mark where a merged visit begins before.
create or replace function unmark_newcomers(merged visits[], others visits[]) returns void
language plpgsql as $$
begin
  update visits v
  set newcomer = null
  from unnest(others) other
  where other.newcomer
    and v.site_key = other.site_key
    and v.visitor_id = other.visitor_id
    and v.tier = other.tier
    and v.started_at = other.started_at
    and exists (
      select
      from unnest(merged) m
      where m.site_key = other.site_key
        and m.tier = other.tier
        and m.visitor_id = other.visitor_id
        and m.started_at < other.started_at
        and is_seen(m.counted, m.continued, m.entry_page, m.custom_events, m.consent_page)
    );
end
$$;

-- The merged visits, with the first visit of each moved visitor marked as newcomer.
create or replace function mark_newcomers(taken visits[], merged visits[], others visits[]) returns visits[]
language plpgsql as $$
begin
  return array(
    select visit_row(
      started_at => started_at, visitor_id => visitor_id, site_key => site_key, duration_ms => duration_ms,
      engaged_ms => engaged_ms, entry_ms => entry_ms, entry_page => entry_page, profile_id => profile_id,
      place_id => place_id, origin_id => origin_id, tier => tier, continued => continued, counted => counted,
      newcomer => case when seen and started_at >= first_start then nullif(is_first, false) else newcomer end,
      later_pages => later_pages, custom_events => custom_events, event_data => event_data, page_data => page_data,
      consent_page => consent_page
    )
    from (
      select *, count(*) filter (where seen) over before = 0 as is_first
      from (
        select true as is_merged, *, is_seen(counted, continued, entry_page, custom_events, consent_page) as seen
        from unnest(merged)
        union all
        select false, *, true
        from unnest(others)
      ) v
      window before as (
        partition by site_key, tier, visitor_id
        order by started_at rows between unbounded preceding and 1 preceding
      )
    ) v
    left join moved_visitors(taken, merged) using (site_key, tier, visitor_id)
    where is_merged
  );
end
$$;

-- Writes the merged visits in place of the taken ones. A visit that begins when it began before is updated: what
-- didn't change of a long visit's hits stays where it is stored, out of the row.
drop function if exists write_visits(visits[], visits[], visits[]);
create or replace function write_visits(taken visits[], places tid[], merged visits[]) returns void
language plpgsql set enable_seqscan = off set enable_indexscan = off set enable_bitmapscan = off as $$
declare
  updated integer := 0;
begin
  if cardinality(taken) > 0 then
    update visits v
    set
      duration_ms = m.duration_ms, engaged_ms = m.engaged_ms, entry_ms = m.entry_ms, entry_page = m.entry_page,
      profile_id = m.profile_id, place_id = m.place_id, origin_id = m.origin_id, continued = m.continued,
      counted = m.counted, newcomer = m.newcomer, consent_page = m.consent_page,
      later_pages = case when m.later_pages = v.later_pages then v.later_pages else m.later_pages end,
      custom_events = case when m.custom_events = v.custom_events then v.custom_events else m.custom_events end,
      event_data = case when m.event_data = v.event_data then v.event_data else m.event_data end,
      page_data = case when m.page_data = v.page_data then v.page_data else m.page_data end
    from unnest(merged) m
    where v.ctid = any (places)
      and v.started_at >= (select min(started_at) from unnest(taken))
      and v.started_at <= (select max(started_at) from unnest(taken))
      and v.site_key = m.site_key
      and v.tier = m.tier
      and v.visitor_id = m.visitor_id
      and v.started_at = m.started_at;
    get diagnostics updated = row_count;
  end if;
  if updated < cardinality(merged) then
    insert into visits
    select *
    from unnest(merged) m
    where tier = 1
      or not exists (
        select
        from unnest(taken) t
        where t.site_key = m.site_key
          and t.tier = m.tier
          and t.visitor_id = m.visitor_id
          and t.started_at = m.started_at
      );
  end if;
  if updated < cardinality(taken) then
    perform delete_visits(taken, places, merged);
  end if;
end
$$;

-- Deletes the taken visits that begin when no merged one begins.
create or replace function delete_visits(taken visits[], places tid[], merged visits[]) returns void
language plpgsql set enable_seqscan = off set enable_indexscan = off set enable_bitmapscan = off as $$
begin
  with gone as materialized (
    select site_key, tier, visitor_id, started_at
    from unnest(taken)
    except
    select site_key, tier, visitor_id, started_at
    from unnest(merged)
  )
  delete from visits v using gone
  where v.ctid = any (places)
    and v.started_at >= (select min(started_at) from gone)
    and v.started_at <= (select max(started_at) from gone)
    and v.site_key = gone.site_key
    and v.tier = gone.tier
    and v.visitor_id = gone.visitor_id
    and v.started_at = gone.started_at;
end
$$;

-- Breaks the seals of days that hold a changed visit. A visit that was open when its day was sealed isn't in the seal.
create or replace function break_seals(taken visits[], merged visits[]) returns void
language plpgsql as $$
begin
  with changed as materialized (
    select distinct
      v.site_key, v.tier, v.visitor_id, v.started_at,
      (v.started_at at time zone sites.timezone)::date as day
    from unnest(taken || merged) v
    join site_seals done using (site_key)
    join sites on sites.key = v.site_key
    where v.started_at < done.until
  ),
  unsealed as (
    delete from sealed_days s using changed c
    where s.site_key = c.site_key
      and s.span = 1
      and s.bucket >= c.day
      and s.until > c.started_at
      and not exists (select from imported_days i where i.site_key = s.site_key and i.day = s.bucket)
      and not exists (
        select
        from open_visits o
        where o.site_key = c.site_key
          and o.day = s.bucket
          and o.tier = c.tier
          and o.visitor_id = c.visitor_id
          and o.started_at = c.started_at
      )
  )
  update site_seals s
  set sealed_to = c.day
  from (select site_key, min(day) as day from changed group by site_key) c
  where s.site_key = c.site_key and s.sealed_to > c.day;
end
$$;

-- Counts refused events, and as `properties` page views without theirs.
create or replace function count_refusals(fresh events[]) returns void
language plpgsql as $$
begin
  insert into dropped_days (site_key, day, reason, events)
  select
    site_key, local_day(occurred_at, timezone),
    case kind when 0 then data ->> 'reason' else 'properties' end,
    count(*)
  from unnest(fresh) join sites on sites.key = site_key
  where kind = 0 or (kind = 1 and data ? 'cut')
  group by 1, 2, 3
  order by 1, 2, 3
  on conflict (site_key, day, reason) do update set events = dropped_days.events + excluded.events;
end
$$;

-- Counts the custom events and page views that visits keep without their properties.
create or replace function count_cut_events(taken visits[], merged visits[]) returns void
language plpgsql as $$
begin
  if not exists (select from unnest(taken || merged) where event_data @? '$[*].cut' or page_data @? '$[*].cut') then
    return;
  end if;
  insert into dropped_days (site_key, day, reason, events)
  select v.site_key, local_day(visit_time(v.started_at, hit.ms), timezone), 'properties', sum(sign)
  from (select -1 as sign, * from unnest(taken) union all select 1, * from unnest(merged)) v
  cross join lateral (
    select ms, data
    from events_of(custom_events, event_data)
    union all
    select ms, data
    from page_data_of(page_data)
  ) hit
  join sites on sites.key = v.site_key
  where hit.data ? 'cut'
  group by 1, 2
  having sum(sign) <> 0
  order by 1, 2
  on conflict (site_key, day, reason) do update set events = dropped_days.events + excluded.events;
end
$$;

-- What page views told of traces of backends. Most batches have nothing of it.
create or replace function keep_associations(fresh events[]) returns void
language plpgsql as $$
declare
  told boolean;
  viewed boolean;
begin
  select bool_or(kind = 5), bool_or(kind = 1) into told, viewed from unnest(fresh) where tier = 3;
  if told then
    perform fold_associations(fresh);
  end if;
  if viewed then
    perform place_associations(fresh);
  end if;
end
$$;

create or replace function note_freshness(fresh events[], instant timestamptz) returns void
language plpgsql as $$
begin
  insert into site_freshness (site_key, first_event_at, last_event_at, folded_at)
  select site_key, min(occurred_at), max(occurred_at), instant
  from unnest(fresh)
  where kind > 0
  group by site_key
  order by site_key
  on conflict (
    site_key
  ) do update set
    first_event_at = least(site_freshness.first_event_at, excluded.first_event_at),
    last_event_at = greatest(site_freshness.last_event_at, excluded.last_event_at),
    folded_at = greatest(site_freshness.folded_at, excluded.folded_at);
end
$$;

-- Brings visits and rollups up to date with events that were not folded before. Most events join a visit that goes on,
-- and then no visitor is counted anew.
create or replace function fold_events(fresh events[], instant timestamptz) returns void
language plpgsql as $$
declare
  taken visits[];
  places tid[];
  merged visits[];
  others visits[];
begin
  select t.taken, t.places into taken, places from take_visits(fresh) t;
  merged := merge_visits(taken, fresh);
  perform count_hours(fresh, taken, merged);
  if exists (select from moved_visitors(taken, merged)) then
    others := other_visits(taken, merged);
    perform count_visitors(taken, merged, others);
    if cardinality(others) > 0 then
      perform unmark_newcomers(merged, others);
    end if;
    merged := mark_newcomers(taken, merged, others);
  end if;
  perform write_visits(taken, places, merged);
  perform break_seals(taken, merged);
  perform count_refusals(fresh);
  perform count_cut_events(taken, merged);
  perform keep_associations(fresh);
  perform note_freshness(fresh, instant);
end
$$;

-- Stores and folds one batch of events: raw rows, visits, rollups, all or nothing. The batch is a JSON array of
-- flattened events (lib/collection/fold-batch.ts). What is stored depends on the set of events alone, not on their
-- order or on how they were cut into batches: visits merge as events arrive (of two page views received in one
-- millisecond either may be the first).
create or replace function ingest_events(batch jsonb, instant timestamptz)
returns table (stored integer, repeated integer)
language plpgsql set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  memory constant interval := interval '4 days';
  done record;
begin
  perform take_turns(batch);
  perform ensure_batch_partitions(batch);
  select * into done from store_events(batch, instant - memory);
  stored := cardinality(done.stored);
  repeated := done.repeated;
  if stored > 0 then
    perform reopen_measures_of(done.stored);
    perform fold_events(done.stored, instant);
    if done.is_limited then
      perform count_others(done.stored);
    end if;
  end if;
  return next;
end
$$;
