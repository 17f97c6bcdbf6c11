-- Stores and folds one batch of events: raw rows, visits, rollups, all or nothing. The batch is a JSON array of
-- flattened events (lib/collection/fold-batch.ts). What is stored depends on the set of events alone, not on their order
-- or on how they were cut into batches: a visit is the maximal chain of a visitor's events with less than 30 minutes
-- between neighbours, and visits merge as events arrive (of two page views received in one millisecond either may be
-- the first). Batches that share a site take turns.
create or replace function ingest_events(batch jsonb, instant timestamptz)
returns table (stored integer, repeated integer)
language plpgsql set jit = off as $$
declare
  session_gap constant interval := interval '30 minutes';
  -- The first so many page views, and custom events, of a visit are kept; the rollups count them all. It bounds what an
  -- endless visit costs with each further event.
  max_hits constant integer := 500;
  kept_hits constant jsonpath := '$[0 to 499]';
  memory_start constant timestamptz := instant - interval '4 days';
begin
  perform pg_advisory_xact_lock(s.lock_key) from (
    select distinct hashtextextended((b.event ->> 'siteId')::uuid::text, 0) as lock_key
    from jsonb_array_elements(batch) as b(event) order by 1
  ) s;

  perform ensure_partition('events', d.day), ensure_partition('visits', d.day) from (
    select distinct date_trunc('day', 'epoch'::timestamptz + (b.event ->> 'at')::bigint * interval '1 millisecond', 'UTC') as day
    from jsonb_array_elements(batch) as b(event)
  ) d;

  insert into site_texts (site_key, id, value)
  select fresh.key, last.id + row_number() over (partition by fresh.key order by fresh.value), fresh.value
  from (
    select distinct sites.key, text.value
    from jsonb_to_recordset(batch) as b("siteId" uuid, path text, name text)
    join sites on sites.id = b."siteId"
    cross join lateral (values (b.path), (b.name)) as text(value)
    where text.value is not null
      and not exists (select from site_texts known where known.site_key = sites.key and known.value = text.value)
  ) fresh
  cross join lateral (
    select coalesce(max(t.id), 0) as id from site_texts t where t.site_key = fresh.key and t.id > 0
  ) last;

  insert into site_profiles (site_key, id, device, browser, os, language)
  select fresh.key, last.id + row_number() over (partition by fresh.key order by fresh.value),
    fresh.device, fresh.browser, fresh.os, fresh.language
  from (
    select distinct on (sites.key, d.value) sites.key, d.value, b.device as device, b.browser as browser, b.os as os, b.language as language
    from jsonb_to_recordset(batch) as b("siteId" uuid, device text, browser text, os text, language text)
    join sites on sites.id = b."siteId"
    cross join lateral (values (profile_key(b.device, b.browser, b.os, b.language))) as d(value)
    where not exists (select from site_profiles known where known.site_key = sites.key and known.value = d.value)
    order by sites.key, d.value
  ) fresh
  cross join lateral (
    select coalesce(max(t.id), 0) as id from site_profiles t where t.site_key = fresh.key and t.id > 0
  ) last;

  insert into site_places (site_key, id, country, region, city)
  select fresh.key, last.id + row_number() over (partition by fresh.key order by fresh.value),
    fresh.country, fresh.region, fresh.city
  from (
    select distinct on (sites.key, d.value) sites.key, d.value, b.country as country, b.region as region, b.city as city
    from jsonb_to_recordset(batch) as b("siteId" uuid, country text, region text, city text)
    join sites on sites.id = b."siteId"
    cross join lateral (values (place_key(b.country, b.region, b.city))) as d(value)
    where not exists (select from site_places known where known.site_key = sites.key and known.value = d.value)
    order by sites.key, d.value
  ) fresh
  cross join lateral (
    select coalesce(max(t.id), 0) as id from site_places t where t.site_key = fresh.key and t.id > 0
  ) last;

  insert into site_origins (site_key, id, hostname, source, channel, utm_source, utm_medium, utm_campaign, utm_term, utm_content)
  select fresh.key, last.id + row_number() over (partition by fresh.key order by fresh.value),
    fresh.hostname, fresh.source, fresh.channel, fresh.utm_source, fresh.utm_medium, fresh.utm_campaign, fresh.utm_term, fresh.utm_content
  from (
    select distinct on (sites.key, d.value) sites.key, d.value, nullif(b.hostname, sites.domain) as hostname, b.source as source, b.channel as channel, b."utmSource" as utm_source, b."utmMedium" as utm_medium, b."utmCampaign" as utm_campaign, b."utmTerm" as utm_term, b."utmContent" as utm_content
    from jsonb_to_recordset(batch) as b("siteId" uuid, hostname text, source text, channel text, "utmSource" text, "utmMedium" text, "utmCampaign" text, "utmTerm" text, "utmContent" text)
    join sites on sites.id = b."siteId"
    cross join lateral (values (origin_key(nullif(b.hostname, sites.domain), b.source, b.channel, b."utmSource", b."utmMedium", b."utmCampaign", b."utmTerm", b."utmContent"))) as d(value)
    where not exists (select from site_origins known where known.site_key = sites.key and known.value = d.value)
    order by sites.key, d.value
  ) fresh
  cross join lateral (
    select coalesce(max(t.id), 0) as id from site_origins t where t.site_key = fresh.key and t.id > 0
  ) last;

  -- Late ones change what is summed already; all others find nothing to open.
  perform reopen_measures(told.site_key, told.first_at, told.last_at) from (
    select sites.key as site_key,
      'epoch'::timestamptz + min(b.at) * interval '1 millisecond' as first_at,
      'epoch'::timestamptz + max(b.at) * interval '1 millisecond' as last_at
    from jsonb_to_recordset(batch) as b("siteId" uuid, at bigint, kind smallint, tier smallint)
    join sites on sites.id = b."siteId"
    where b.tier = 3 and b.kind in (1, 3, 4)
    group by sites.key
  ) told;

  return query
  with input as materialized (
    select distinct on (sites.key, b.id)
      sites.key as site_key, sites.timezone, b.id as event_id, b.kind, b.tier, b."visitorId" as visitor_id,
      coalesce(b.continued, false) as continued, b.entry, b.path, b.name,
      'epoch'::timestamptz + b.at * interval '1 millisecond' as occurred_at, b.screen, b."pageId" as page_id,
      b."engagedMs" as engaged_ms, b."scrollDepth" as scroll_depth, b.data,
      profile_key(b.device, b.browser, b.os, b.language) as profile,
      place_key(b.country, b.region, b.city) as place,
      origin_key(nullif(b.hostname, sites.domain), b.source, b.channel,
        b."utmSource", b."utmMedium", b."utmCampaign", b."utmTerm", b."utmContent") as origin
    from jsonb_to_recordset(batch) as b(
      "siteId" uuid, id uuid, at bigint, kind smallint, tier smallint, "visitorId" uuid, continued boolean,
      entry boolean, path text, name text, hostname text, source text, channel text, "utmSource" text, "utmMedium" text,
      "utmCampaign" text, "utmTerm" text, "utmContent" text, country text, region text, city text, device text,
      browser text, os text, language text, screen text, "pageId" uuid, "engagedMs" integer, "scrollDepth" real, data jsonb)
    join sites on sites.id = b."siteId"
    order by sites.key, b.id, b.at, b.tier
  ),
  fresh as materialized (
    select input.*, path_text.id as path_id, name_text.id as name_id, known_profile.id as profile_id,
      known_place.id as place_id, known_origin.id as origin_id
    from input
    left join lateral (
      select t.id from site_texts t where t.site_key = input.site_key and t.value = input.path offset 0
    ) as path_text on true
    left join lateral (
      select t.id from site_texts t where t.site_key = input.site_key and t.value = input.name offset 0
    ) as name_text on true
    left join lateral (
      select t.id from site_profiles t where t.site_key = input.site_key and t.value = input.profile offset 0
    ) as known_profile on true
    left join lateral (
      select t.id from site_places t where t.site_key = input.site_key and t.value = input.place offset 0
    ) as known_place on true
    left join lateral (
      select t.id from site_origins t where t.site_key = input.site_key and t.value = input.origin offset 0
    ) as known_origin on true
    -- Each is asked for by the primary key: the planner would rather read all of a partition of which it knows nothing yet.
    left join lateral (
      select true as is_known from events e
      where e.site_key = input.site_key and e.event_id = input.event_id and e.occurred_at > memory_start limit 1
    ) as stored_before on true
    where stored_before.is_known is null
  ),
  raw as (
    insert into events (
      occurred_at, event_id, visitor_id, page_id, site_key, path_id, name_id, profile_id, place_id, origin_id,
      engaged_ms, scroll_depth, kind, tier, continued, entry, screen, data)
    select
      occurred_at, event_id, visitor_id, page_id, site_key, path_id, name_id, profile_id, place_id, origin_id,
      engaged_ms, scroll_depth, kind, tier, continued, entry, screen, data
    from fresh
  ),
  -- Every event of tiers 2 and 3 is a visit of its own at first; `spans` are these and the visits they may join.
  points as (
    select
      site_key, tier, visitor_id, timezone, occurred_at as started_at, occurred_at as ended_at,
      case when kind = 1 then occurred_at end as entry_at, continued, kind = 1 or (kind = 2 and entry is null) as counted,
      engaged_ms, profile_id, place_id, origin_id,
      case when kind = 1 then path_id end as entry_page, null::integer[] as later_pages,
      case when kind = 2 then array[0, name_id] end as custom_events,
      case when kind = 2 and data is not null then jsonb_build_array(data) end as event_data
    from fresh where tier >= 2 and kind > 0
  ),
  touched as materialized (
    select site_key, tier, visitor_id, timezone, min(started_at) as first_at, max(started_at) as last_at
    from points group by site_key, tier, visitor_id, timezone
  ),
  old as materialized (
    select v.*, visit_time(v.started_at, v.duration_ms) as ended_at, t.timezone
    from touched t
    cross join lateral (
      select v.tableoid as partition, v.ctid as place, v.* from visits v
      where v.site_key = t.site_key and uuid_hash(v.visitor_id) = uuid_hash(t.visitor_id) and v.visitor_id = t.visitor_id and v.tier = t.tier
        and v.started_at < t.last_at + session_gap
        and v.started_at > t.first_at - interval '24 days'
        and visit_time(v.started_at, v.duration_ms) > t.first_at - session_gap
      offset 0
    ) v
  ),
  spans as (
    select
      site_key, tier, visitor_id, timezone, started_at, ended_at,
      case when entry_page is not null then visit_time(started_at, entry_ms) end as entry_at, continued,
      counted, engaged_ms, profile_id, place_id, origin_id, entry_page, later_pages, custom_events, event_data
    from old
    union all
    select
      site_key, tier, visitor_id, timezone, started_at, ended_at, entry_at,
      continued, counted, engaged_ms, profile_id, place_id, origin_id, entry_page, later_pages, custom_events, event_data
    from points
  ),
  chained as (
    select *, count(*) filter (where begins) over visitor as chain
    from (
      select *, coalesce(started_at >= max(ended_at) over before + session_gap, true) as begins
      from spans
      window before as (
        partition by site_key, tier, visitor_id order by started_at, ended_at
        rows between unbounded preceding and 1 preceding)
    ) s
    window visitor as (
      partition by site_key, tier, visitor_id order by started_at, ended_at rows unbounded preceding)
  ),
  -- Rank 1 is the entry: the first page view, or without one the first event.
  ranked as (
    select *, min(started_at) over chain_of as chain_start, sum(engaged_ms) over chain_of as chain_engaged,
      row_number() over (partition by site_key, tier, visitor_id, chain order by entry_at, started_at) as rank
    from chained
    window chain_of as (partition by site_key, tier, visitor_id, chain)
  ),
  placed as (
    select r.*, hit.is_page, hit.text_id as hit_text, hit.data as hit_data,
      round(extract(epoch from hit.base - r.chain_start) * 1000)::integer + hit.ms as hit_ms
    from ranked r
    left join lateral (
      select true, r.entry_at, 0, r.entry_page, null::jsonb where r.entry_page is not null
      union all select true, r.started_at, page.ms, page.text_id, null from hits_of(r.later_pages) as page
      union all select false, r.started_at, event.ms, event.text_id, event.data
        from events_of(r.custom_events, r.event_data) as event
    ) as hit(is_page, base, ms, text_id, data) on true
  ),
  merged as (
    select
      site_key, chain_start as started_at, visitor_id,
      nullif(round(extract(epoch from max(ended_at) - chain_start) * 1000)::integer, 0) as duration_ms,
      max(chain_engaged)::integer as engaged_ms,
      tier, bool_or(continued) as continued, bool_or(counted) and not bool_or(continued) as counted,
      array_agg(array[hit_ms, hit_text] order by hit_ms, hit_text) filter (where is_page) as pages,
      array_agg(array[hit_ms, hit_text] order by hit_ms, hit_text, hit_data) filter (where not is_page) as customs,
      jsonb_agg(hit_data order by hit_ms, hit_text, hit_data) filter (where not is_page) as custom_data,
      count(hit_data) > 0 as has_data,
      max(profile_id) filter (where rank = 1) as profile_id, max(place_id) filter (where rank = 1) as place_id,
      max(origin_id) filter (where rank = 1) as origin_id, timezone
    from placed group by site_key, tier, visitor_id, timezone, chain, chain_start
  ),
  new as materialized (
    select
      started_at, visitor_id, site_key, duration_ms, engaged_ms, nullif(pages[1][1], 0) as entry_ms, pages[1][2] as entry_page,
      profile_id, place_id, origin_id, tier, continued, counted,
      case when cardinality(pages) > 2 then (select array_agg(n order by position) from unnest(pages[2:max_hits]) with ordinality as p(n, position)) end as later_pages,
      (select array_agg(n order by position) from unnest(customs[:max_hits]) with ordinality as c(n, position)) as custom_events,
      case when has_data then jsonb_path_query_array(custom_data, kept_hits) end as event_data, timezone
    from merged
  ),
  anonymous as (
    select
      occurred_at as started_at, null::uuid as visitor_id, site_key, null::integer as duration_ms, null::integer as engaged_ms,
      null::integer as entry_ms, case when kind = 1 then path_id end as entry_page,
      profile_id, place_id, origin_id, tier, false as continued,
      kind = 1 and entry as counted, null::integer[] as later_pages,
      case when kind = 2 then array[0, name_id] end as custom_events,
      case when kind = 2 and data is not null then jsonb_build_array(data) end as event_data, timezone
    from fresh where tier = 1 and kind in (1, 2)
  ),
  changes as materialized (
    select -1 as sign, site_key, tier, visitor_id, timezone, started_at, duration_ms, counted, continued, entry_page, later_pages, custom_events
    from old
    union all
    select 1, site_key, tier, visitor_id, timezone, started_at, duration_ms, counted, continued, entry_page, later_pages, custom_events
    from new
    union all
    select 1, site_key, tier, visitor_id, timezone, started_at, duration_ms, counted, continued, entry_page, later_pages, custom_events
    from anonymous
  ),
  hours as (
    insert into rollup_hours (site_key, hour, tier, pageviews, visits, measured, bounces, duration_ms)
    select site_key, hour, tier, sum(pageviews), sum(visits), sum(measured), sum(bounces), sum(duration_ms)
    from (
      select site_key, local_hour(occurred_at, timezone) as hour, tier,
        1 as pageviews, 0 as visits, 0 as measured, 0 as bounces, 0 as duration_ms
      from fresh where kind = 1
      union all
      select site_key, local_hour(started_at, timezone), tier, 0, sign,
        case when tier = 3 then sign else 0 end,
        case when tier = 3 and custom_events is null and later_pages is null then sign else 0 end,
        case when tier = 3 then sign * coalesce(duration_ms, 0) else 0 end
      from changes where counted
    ) d
    group by site_key, hour, tier
    having sum(pageviews) <> 0 or sum(visits) <> 0 or sum(bounces) <> 0 or sum(duration_ms) <> 0
    order by site_key, hour, tier
    on conflict (site_key, hour, tier) do update set
      pageviews = rollup_hours.pageviews + excluded.pageviews, visits = rollup_hours.visits + excluded.visits,
      measured = rollup_hours.measured + excluded.measured, bounces = rollup_hours.bounces + excluded.bounces,
      duration_ms = rollup_hours.duration_ms + excluded.duration_ms
  ),
  -- Visitors whose visits begin elsewhere than before, and the whole days around the change.
  moved as materialized (
    select site_key, tier, visitor_id, timezone,
      local_day(min(started_at), timezone) as from_day,
      local_day(local_day(max(started_at), timezone) + interval '36 hours', timezone) as to_day
    from (
      select site_key, tier, visitor_id, timezone, started_at
      from changes where visitor_id is not null and is_seen(counted, continued, entry_page, custom_events)
      group by site_key, tier, visitor_id, timezone, started_at having sum(sign) <> 0
    ) c
    group by site_key, tier, visitor_id, timezone
  ),
  starts as materialized (
    select m.*, -1 as sign, near.started_at, near.partition, near.place, near.visit
    from moved m cross join lateral (
      select started_at, partition, place, visit
      from (
        select v.started_at, v.tableoid as partition, v.ctid as place, v as visit,
          min(v.started_at) filter (where v.started_at >= m.to_day) over () as next_at
        from visits v
        where v.site_key = m.site_key and uuid_hash(v.visitor_id) = uuid_hash(m.visitor_id) and v.visitor_id = m.visitor_id and v.tier = m.tier
          and v.started_at >= m.from_day and is_seen(v.counted, v.continued, v.entry_page, v.custom_events)
      ) since
      where started_at < m.to_day or started_at = next_at
      union all
      (select v.started_at, v.tableoid, v.ctid, v from visits v
      where v.site_key = m.site_key and uuid_hash(v.visitor_id) = uuid_hash(m.visitor_id) and v.visitor_id = m.visitor_id and v.tier = m.tier
        and v.started_at < m.from_day and is_seen(v.counted, v.continued, v.entry_page, v.custom_events)
        and v.started_at >= m.from_day - case m.tier when 2 then interval '2 days' else interval '400 days' end
      order by v.started_at desc limit 1)
    ) near
  ),
  starts_after as (
    select s.site_key, s.tier, s.visitor_id, s.timezone, s.from_day, s.to_day, 1 as sign, s.started_at, s.partition, s.place, s.visit
    from starts s
    where s.started_at < s.from_day or s.started_at >= s.to_day or not exists (
      select from old o
      where o.site_key = s.site_key and o.tier = s.tier and o.visitor_id = s.visitor_id and o.started_at = s.started_at)
    union all
    select m.*, 1, n.started_at, null, null, null
    from moved m join new n using (site_key, tier, visitor_id)
    where n.started_at >= m.from_day and n.started_at < m.to_day
      and is_seen(n.counted, n.continued, n.entry_page, n.custom_events)
  ),
  -- The first visit of a visitor is marked. One that was, and has one before it now, is written anew like those that changed.
  firsts as materialized (
    select s.*, lag(started_at) over (partition by site_key, tier, visitor_id order by started_at) is null as is_first from starts_after s
  ),
  behind as materialized (
    select f.partition, f.place, (f.visit).*
    from firsts f
    where (f.visit).newcomer and not f.is_first and f.started_at >= f.from_day and not exists (
      select from old o
      where o.site_key = f.site_key and o.tier = f.tier and o.visitor_id = f.visitor_id and o.started_at = f.started_at)
  ),
  gone as materialized (
    select partition, place, started_at from old
    union all
    select partition, place, started_at from behind
  ),
  -- An update would write every index anew as well.
  replaced as (
    delete from visits v
    where v.ctid = any (array(select place from gone))
      and v.started_at >= (select min(started_at) from gone) and v.started_at <= (select max(started_at) from gone)
      and exists (select from gone g where g.partition = v.tableoid and g.place = v.ctid)
  ),
  written as (
    insert into visits (
      started_at, visitor_id, site_key, duration_ms, engaged_ms, entry_ms, entry_page, profile_id, place_id, origin_id,
      tier, continued, counted, newcomer, later_pages, custom_events, event_data)
    select
      n.started_at, n.visitor_id, n.site_key, n.duration_ms, n.engaged_ms, n.entry_ms, n.entry_page, n.profile_id, n.place_id, n.origin_id,
      n.tier, n.continued, n.counted, nullif(coalesce(f.is_first, o.newcomer), false), n.later_pages, n.custom_events, n.event_data
    from new n
    left join firsts f
      on f.site_key = n.site_key and f.tier = n.tier and f.visitor_id = n.visitor_id and f.started_at = n.started_at and f.started_at >= f.from_day
    left join old o on o.site_key = n.site_key and o.tier = n.tier and o.visitor_id = n.visitor_id and o.started_at = n.started_at
    union all
    select
      started_at, visitor_id, site_key, duration_ms, engaged_ms, entry_ms, entry_page, profile_id, place_id, origin_id,
      tier, continued, counted, null, later_pages, custom_events, event_data
    from anonymous
    union all
    select
      started_at, visitor_id, site_key, duration_ms, engaged_ms, entry_ms, entry_page, profile_id, place_id, origin_id,
      tier, continued, counted, null, later_pages, custom_events, event_data
    from behind
  ),
  buckets as (
    select site_key, tier, visitor_id, sign, unit, bucket, from_day,
      lag(bucket) over (partition by site_key, tier, visitor_id, sign, unit order by bucket) as previous
    from (
      select distinct s.site_key, s.tier, s.visitor_id, s.sign, s.from_day, b.unit, b.bucket
      from (select * from starts union all select * from starts_after) s
      cross join lateral (values
        ('hour', local_hour(s.started_at, s.timezone)), ('day', local_day(s.started_at, s.timezone))
      ) as b(unit, bucket)
    ) b
  ),
  visitors as (
    insert into rollup_visitors (site_key, unit, bucket, tier, previous, visitors)
    select site_key, unit, bucket, tier, known_previous, sum(sign)
    from (
      select b.*, case
        when previous is null or (unit = 'hour' and previous < bucket - interval '48 hours') then '-infinity'
        else previous end as known_previous
      from buckets b where bucket >= from_day
    ) b
    group by site_key, unit, bucket, tier, known_previous
    having sum(sign) <> 0
    order by site_key, unit, bucket, tier, known_previous
    on conflict (site_key, unit, bucket, tier, previous) do update set
      visitors = rollup_visitors.visitors + excluded.visitors
  ),
  -- A sealed day stays so while what changes is a visit that it doesn't have in it.
  sealable as materialized (
    select distinct c.site_key, c.tier, c.visitor_id, c.started_at, (c.started_at at time zone c.timezone)::date as day
    from changes c join site_seals done using (site_key)
    where c.started_at < done.until
  ),
  unsealed as (
    delete from sealed_days s using sealable c
    where s.site_key = c.site_key and s.span = 1 and s.bucket >= c.day and s.until > c.started_at
      and not exists (select from imported_days i where i.site_key = s.site_key and i.day = s.bucket)
      and not exists (
        select from open_visits o
        where o.site_key = c.site_key and o.day = s.bucket and o.tier = c.tier and o.visitor_id = c.visitor_id and o.started_at = c.started_at)
  ),
  sealed_less as (
    update site_seals s set sealed_to = c.day
    from (select site_key, min(day) as day from sealable group by site_key) c
    where s.site_key = c.site_key and s.sealed_to > c.day
  ),
  refused as (
    insert into dropped_days (site_key, day, reason, events)
    select site_key, local_day(occurred_at, timezone), data ->> 'reason', count(*)
    from fresh where kind = 0 group by 1, 2, 3 order by 1, 2, 3
    on conflict (site_key, day, reason) do update set events = dropped_days.events + excluded.events
  ),
  freshness as (
    insert into site_freshness (site_key, first_event_at, last_event_at, folded_at)
    select site_key, min(occurred_at), max(occurred_at), instant from fresh where kind > 0 group by site_key order by 1
    on conflict (site_key) do update set
      first_event_at = least(site_freshness.first_event_at, excluded.first_event_at),
      last_event_at = greatest(site_freshness.last_event_at, excluded.last_event_at),
      folded_at = greatest(site_freshness.folded_at, excluded.folded_at)
  )
  select
    (select count(*) from fresh)::integer,
    (select count(*) from input)::integer - (select count(*) from fresh)::integer;
end
$$;
