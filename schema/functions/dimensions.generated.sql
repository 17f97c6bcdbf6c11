-- Written by `npm run generate` from lib/analytics/dimensions.ts and lib/collection/session-gap.ts.

-- A visit ends where so long passes without an event.
create or replace function session_gap() returns interval
language sql immutable parallel safe as $$
  select interval '30 minutes'
$$;

-- What rollups count by. Dimensions of visits have the tier from which on a visit has them; `arrives`: only if it
-- came from elsewhere. Those without `blocks` have single days alone.
create or replace view dimensions as
select number::smallint, name, dictionary, lowest_tier::smallint, arrives, blocks
from (
  values
    (8, 'hostname', 'origin', 1, false, true),
    (1, 'source', 'origin', 1, true, true), (2, 'channel', 'origin', 1, true, true),
    (3, 'utm_source', 'origin', 1, true, true),
    (4, 'utm_medium', 'origin', 1, true, true),
    (5, 'utm_campaign', 'origin', 1, true, true),
    (6, 'utm_term', 'origin', 1, true, true),
    (7, 'utm_content', 'origin', 1, true, true),
    (9, 'country', 'place', 1, false, true), (10, 'region', 'place', 2, false, true),
    (11, 'city', 'place', 2, false, true),
    (12, 'device', 'profile', 1, false, true),
    (13, 'browser', 'profile', 1, false, true),
    (14, 'os', 'profile', 3, false, true),
    (15, 'language', 'profile', 2, false, true),
    (16, 'page', null, null, false, true), (17, 'entry_page', null, 1, true, true),
    (18, 'exit_page', null, 2, false, true), (19, 'event', null, null, false, true),
    (20, 'goal', null, null, false, false),
    (21, 'funnel', null, null, false, false),
    (22, 'reach', null, null, false, false),
    (23, 'cohort', null, null, false, false),
    (24, 'prop', null, null, false, false)
) as d(number, name, dictionary, lowest_tier, arrives, blocks);

-- The number of a dimension in rollups. Another name is an error, which says the name.
create or replace function dimension_number(name text) returns smallint
language sql immutable parallel safe as $$
  select case name
    when 'hostname' then 8
    when 'source' then 1
    when 'channel' then 2
    when 'utm_source' then 3
    when 'utm_medium' then 4
    when 'utm_campaign' then 5
    when 'utm_term' then 6
    when 'utm_content' then 7
    when 'country' then 9
    when 'region' then 10
    when 'city' then 11
    when 'device' then 12
    when 'browser' then 13
    when 'os' then 14
    when 'language' then 15
    when 'page' then 16
    when 'entry_page' then 17
    when 'exit_page' then 18
    when 'event' then 19
    when 'goal' then 20
    when 'funnel' then 21
    when 'reach' then 22
    when 'cohort' then 23
    when 'prop' then 24
    else ('no dimension: ' || name)::integer
  end::smallint
$$;

-- What the entries of dictionaries have, as lists show it; null is left out of lists.
create or replace view entry_values as
select e.site_key, 'profile' as dictionary, e.id, d.dimension, d.value
from site_profiles e
cross join lateral (
  values
    ('device', coalesce(device, 'Unknown')),
    ('browser', coalesce(browser, 'Unknown')),
    ('os', coalesce(os, 'Unknown')),
    ('language', coalesce(language, 'Unknown'))
) as d(dimension, value)
where e.id > 0
union all
select e.site_key, 'place' as dictionary, e.id, d.dimension, d.value
from site_places e
cross join lateral (values ('country', coalesce(country, 'Unknown')), ('region', region), ('city', city)) as d(
  dimension, value
)
where e.id > 0
union all
select e.site_key, 'origin' as dictionary, e.id, d.dimension, d.value
from site_origins e
cross join lateral (
  values
    ('hostname', coalesce(hostname, (select domain from sites where key = e.site_key))),
    ('source', coalesce(source, 'Direct')),
    ('channel', coalesce(channel, 'Direct')),
    ('utm_source', utm_source), ('utm_medium', utm_medium), ('utm_campaign', utm_campaign), ('utm_term', utm_term),
    ('utm_content', utm_content)
) as d(dimension, value)
where e.id > 0;

-- What tells an entry of site_profiles apart, of an event; absent and empty are one.
create or replace function profile_key(event jsonb, domain text) returns text
language sql immutable parallel safe as $$
  select coalesce(event ->> 'device', '') || chr(31) || coalesce(event ->> 'browser', '') || chr(31)
    || coalesce(event ->> 'os', '') || chr(31) || coalesce(event ->> 'language', '')
$$;

-- What tells an entry of site_places apart, of an event; absent and empty are one.
create or replace function place_key(event jsonb, domain text) returns text
language sql immutable parallel safe as $$
  select coalesce(event ->> 'country', '') || chr(31) || coalesce(event ->> 'region', '') || chr(31)
    || coalesce(event ->> 'city', '')
$$;

-- What tells an entry of site_origins apart, of an event; absent and empty are one.
create or replace function origin_key(event jsonb, domain text) returns text
language sql immutable parallel safe as $$
  select coalesce(nullif(event ->> 'hostname', domain), '') || chr(31) || coalesce(event ->> 'source', '') || chr(31)
    || coalesce(event ->> 'channel', '') || chr(31) || coalesce(event ->> 'utmSource', '') || chr(31)
    || coalesce(event ->> 'utmMedium', '') || chr(31) || coalesce(event ->> 'utmCampaign', '') || chr(31)
    || coalesce(event ->> 'utmTerm', '') || chr(31) || coalesce(event ->> 'utmContent', '')
$$;

-- Gives numbers to the entries of the batch that a site's dictionary didn't have before.
create or replace function add_profiles(batch jsonb) returns void
language plpgsql as $$
begin
  insert into site_profiles (site_key, id, value, device, browser, os, language)
  select
    fresh.key,
    last.id + row_number() over (partition by fresh.key order by fresh.value),
    fresh.value, event ->> 'device', event ->> 'browser', event ->> 'os', event ->> 'language'
  from (
    select distinct on (sites.key, d.value) sites.key, sites.domain, d.value, b.event
    from jsonb_array_elements(batch) as b(event)
    join sites on sites.id = (b.event ->> 'siteId')::uuid
    cross join lateral (values (profile_key(b.event, sites.domain))) as d(value)
    where not exists (select from site_profiles known where known.site_key = sites.key and known.value = d.value)
    order by sites.key, d.value
  ) fresh
  cross join lateral (
    select coalesce(max(t.id), 0) as id
    from site_profiles t
    where t.site_key = fresh.key and t.id > 0
  ) last;
end
$$;

-- Gives numbers to the entries of the batch that a site's dictionary didn't have before.
create or replace function add_places(batch jsonb) returns void
language plpgsql as $$
begin
  insert into site_places (site_key, id, value, country, region, city)
  select
    fresh.key,
    last.id + row_number() over (partition by fresh.key order by fresh.value),
    fresh.value, event ->> 'country', event ->> 'region', event ->> 'city'
  from (
    select distinct on (sites.key, d.value) sites.key, sites.domain, d.value, b.event
    from jsonb_array_elements(batch) as b(event)
    join sites on sites.id = (b.event ->> 'siteId')::uuid
    cross join lateral (values (place_key(b.event, sites.domain))) as d(value)
    where not exists (select from site_places known where known.site_key = sites.key and known.value = d.value)
    order by sites.key, d.value
  ) fresh
  cross join lateral (
    select coalesce(max(t.id), 0) as id
    from site_places t
    where t.site_key = fresh.key and t.id > 0
  ) last;
end
$$;

-- Gives numbers to the entries of the batch that a site's dictionary didn't have before.
create or replace function add_origins(batch jsonb) returns void
language plpgsql as $$
begin
  insert into site_origins (
    site_key, id, value, hostname, source, channel, utm_source, utm_medium, utm_campaign, utm_term, utm_content
  )
  select
    fresh.key,
    last.id + row_number() over (partition by fresh.key order by fresh.value),
    fresh.value, nullif(event ->> 'hostname', domain), event ->> 'source', event ->> 'channel', event ->> 'utmSource',
    event ->> 'utmMedium', event ->> 'utmCampaign', event ->> 'utmTerm', event ->> 'utmContent'
  from (
    select distinct on (sites.key, d.value) sites.key, sites.domain, d.value, b.event
    from jsonb_array_elements(batch) as b(event)
    join sites on sites.id = (b.event ->> 'siteId')::uuid
    cross join lateral (values (origin_key(b.event, sites.domain))) as d(value)
    where not exists (select from site_origins known where known.site_key = sites.key and known.value = d.value)
    order by sites.key, d.value
  ) fresh
  cross join lateral (
    select coalesce(max(t.id), 0) as id
    from site_origins t
    where t.site_key = fresh.key and t.id > 0
  ) last;
end
$$;
