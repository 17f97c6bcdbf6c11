-- Written by `npm run generate` from lib/visits/dimensions.ts and lib/visits/session-gap.ts.

-- The session gap: a visit ends after this time without an event.
create or replace function session_gap() returns interval
language sql immutable parallel safe as $$
  select interval '30 minutes'
$$;

-- What values beyond a day's limit count as. No message has it.
create or replace function other_value() returns text
language sql immutable parallel safe as $$
  select '(other)'
$$;

-- What rollups count by. Dimensions of visits have the tier from which on a visit has them; `arrives`: only if it
-- came from elsewhere. Those without `blocks` have single days alone.
create or replace view dimensions as
select number::smallint, name, dictionary, lowest_tier::smallint, arrives, blocks, new_values
from (
  values
    (8, 'hostname', 'origin', 1, false, true, 'sources'),
    (1, 'source', 'origin', 1, true, true, 'sources'),
    (2, 'channel', 'origin', 1, true, true, null),
    (3, 'utm_source', 'origin', 1, true, true, 'campaigns'),
    (4, 'utm_medium', 'origin', 1, true, true, 'campaigns'),
    (5, 'utm_campaign', 'origin', 1, true, true, 'campaigns'),
    (6, 'utm_term', 'origin', 1, true, true, 'terms'),
    (7, 'utm_content', 'origin', 1, true, true, 'terms'),
    (9, 'country', 'place', 1, false, true, null),
    (10, 'region', 'place', 2, false, true, 'places'),
    (11, 'city', 'place', 2, false, true, 'places'),
    (12, 'device', 'profile', 1, false, true, null),
    (13, 'browser', 'profile', 1, false, true, null),
    (14, 'os', 'profile', 3, false, true, null),
    (15, 'language', 'profile', 2, false, true, 'languages'),
    (16, 'page', null, null, false, true, null),
    (17, 'entry_page', null, 1, true, true, null),
    (18, 'exit_page', null, 2, false, true, null),
    (19, 'event', null, null, false, true, null),
    (20, 'goal', null, null, false, false, null),
    (21, 'funnel', null, null, false, false, null),
    (22, 'reach', null, null, false, false, null),
    (23, 'cohort', null, null, false, false, null),
    (24, 'prop', null, null, false, false, null),
    (25, 'total', null, null, false, true, null)
) as d(number, name, dictionary, lowest_tier, arrives, blocks, new_values);

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
    when 'total' then 25
    else ('no dimension: ' || name)::integer
  end::smallint
$$;

-- What the entries of dictionaries have, as lists show it; null is left out of lists.
create or replace view entry_values as
select e.site_key, 'profile' as dictionary, e.id, d.dimension, d.value, e.first_day, e.last_day
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
select e.site_key, 'place' as dictionary, e.id, d.dimension, d.value, e.first_day, e.last_day
from site_places e
cross join lateral (
  values
    ('country', coalesce(country, 'Unknown')),
    ('region', region),
    ('city', city)
) as d(dimension, value)
where e.id > 0
union all
select e.site_key, 'origin' as dictionary, e.id, d.dimension, d.value, e.first_day, e.last_day
from site_origins e
cross join lateral (
  values
    ('hostname', coalesce(hostname,
      (select coalesce(sites.first_domain, sites.domain) from sites where key = e.site_key))),
    ('source', coalesce(source, 'Direct')),
    ('channel', coalesce(channel, 'Direct')),
    ('utm_source', utm_source),
    ('utm_medium', utm_medium),
    ('utm_campaign', utm_campaign),
    ('utm_term', utm_term),
    ('utm_content', utm_content)
) as d(dimension, value)
where e.id > 0;

-- What tells an entry of site_profiles apart, of an event; absent and empty are one.
create or replace function profile_key(event jsonb, domain text) returns text
language sql immutable parallel safe as $$
  select coalesce(event ->> 'device', '')
    || chr(31) || coalesce(event ->> 'browser', '')
    || chr(31) || coalesce(event ->> 'os', '')
    || chr(31) || coalesce(event ->> 'language', '')
$$;

-- What tells an entry of site_places apart, of an event; absent and empty are one.
create or replace function place_key(event jsonb, domain text) returns text
language sql immutable parallel safe as $$
  select coalesce(event ->> 'country', '')
    || chr(31) || coalesce(event ->> 'region', '')
    || chr(31) || coalesce(event ->> 'city', '')
$$;

-- What tells an entry of site_origins apart, of an event; absent and empty are one.
create or replace function origin_key(event jsonb, domain text) returns text
language sql immutable parallel safe as $$
  select coalesce(nullif(event ->> 'hostname', domain), '')
    || chr(31) || coalesce(event ->> 'source', '')
    || chr(31) || coalesce(event ->> 'channel', '')
    || chr(31) || coalesce(event ->> 'utmSource', '')
    || chr(31) || coalesce(event ->> 'utmMedium', '')
    || chr(31) || coalesce(event ->> 'utmCampaign', '')
    || chr(31) || coalesce(event ->> 'utmTerm', '')
    || chr(31) || coalesce(event ->> 'utmContent', '')
$$;

-- The entries of the batch that a site's dictionary doesn't have, each with what its new values count as.
create or replace function lacking_profiles(batch jsonb) returns jsonb
language plpgsql stable as $$
begin
  return (
    select jsonb_agg(entry)
    from (
      select distinct on (sites.key, d.value) sites.key as site_key, d.value, (b.event ->> 'at')::bigint as at,
        case
          when coalesce(
            nullif(event ->> 'language', other_value())
          ) is not null then 'languages'
        end as kind,
        event ->> 'device' as device,
        event ->> 'browser' as browser,
        event ->> 'os' as os,
        event ->> 'language' as language
      from jsonb_array_elements(batch) as b(event)
      join sites on sites.id = (b.event ->> 'siteId')::uuid
      cross join lateral (values (profile_key(b.event, coalesce(sites.first_domain, sites.domain)))) as d(value)
      where not exists (select from site_profiles known where known.site_key = sites.key and known.value = d.value)
      order by sites.key, d.value, at
    ) entry
  );
end
$$;

-- The batch with refused values as `(other)`.
create or replace function limited_profiles(batch jsonb, refused jsonb) returns jsonb
language plpgsql stable as $$
begin
  return (
    select jsonb_agg(
      case
        when is_refused(refused, d.site_key, 'languages', d.value) then as_other(b.event, array[
          'language'
        ])
        else b.event
      end
      order by b.position
    )
    from jsonb_array_elements(batch) with ordinality as b(event, position)
    left join sites on sites.id = (b.event ->> 'siteId')::uuid
    cross join lateral (
      values (sites.key, profile_key(b.event, coalesce(sites.first_domain, sites.domain)))
    ) as d(site_key, value)
  );
end
$$;

-- Gives numbers to the entries of the batch that a site's dictionary didn't have before. Returns the batch with what
-- is beyond the day's limits as `(other)`; null: nothing is.
create or replace function admit_profiles(batch jsonb) returns jsonb
language plpgsql as $$
declare
  fresh constant jsonb := lacking_profiles(batch);
  refused jsonb;
  limited jsonb;
begin
  if fresh is null then
    return null;
  end if;
  refused := refuse_values(fresh);
  insert into site_profiles (
    site_key, id, first_day, last_day, value,
    device,
    browser,
    os,
    language
  )
  select entry.site_key, last.id + row_number() over (partition by entry.site_key order by entry.value),
    utc_day(entry.at), utc_day(entry.at), entry.value,
    entry.device,
    entry.browser,
    entry.os,
    entry.language
  from jsonb_to_recordset(fresh) as entry(
    site_key integer, value text, at bigint, kind text,
    device text,
    browser text,
    os text,
    language text
  )
  join last_ids(fresh, 'profile') last using (site_key)
  where not is_refused(refused, entry.site_key, entry.kind, entry.value);
  if refused is null then
    return null;
  end if;
  limited := limited_profiles(batch, refused);
  return coalesce(admit_profiles(limited), limited);
end
$$;

-- The entries of the batch that a site's dictionary doesn't have, each with what its new values count as.
create or replace function lacking_places(batch jsonb) returns jsonb
language plpgsql stable as $$
begin
  return (
    select jsonb_agg(entry)
    from (
      select distinct on (sites.key, d.value) sites.key as site_key, d.value, (b.event ->> 'at')::bigint as at,
        case
          when coalesce(
            nullif(event ->> 'region', other_value()),
            nullif(event ->> 'city', other_value())
          ) is not null then 'places'
        end as kind,
        event ->> 'country' as country,
        event ->> 'region' as region,
        event ->> 'city' as city
      from jsonb_array_elements(batch) as b(event)
      join sites on sites.id = (b.event ->> 'siteId')::uuid
      cross join lateral (values (place_key(b.event, coalesce(sites.first_domain, sites.domain)))) as d(value)
      where not exists (select from site_places known where known.site_key = sites.key and known.value = d.value)
      order by sites.key, d.value, at
    ) entry
  );
end
$$;

-- The batch with refused values as `(other)`.
create or replace function limited_places(batch jsonb, refused jsonb) returns jsonb
language plpgsql stable as $$
begin
  return (
    select jsonb_agg(
      case
        when is_refused(refused, d.site_key, 'places', d.value) then as_other(b.event, array[
          'region',
          'city'
        ])
        else b.event
      end
      order by b.position
    )
    from jsonb_array_elements(batch) with ordinality as b(event, position)
    left join sites on sites.id = (b.event ->> 'siteId')::uuid
    cross join lateral (
      values (sites.key, place_key(b.event, coalesce(sites.first_domain, sites.domain)))
    ) as d(site_key, value)
  );
end
$$;

-- Gives numbers to the entries of the batch that a site's dictionary didn't have before. Returns the batch with what
-- is beyond the day's limits as `(other)`; null: nothing is.
create or replace function admit_places(batch jsonb) returns jsonb
language plpgsql as $$
declare
  fresh constant jsonb := lacking_places(batch);
  refused jsonb;
  limited jsonb;
begin
  if fresh is null then
    return null;
  end if;
  refused := refuse_values(fresh);
  insert into site_places (
    site_key, id, first_day, last_day, value,
    country,
    region,
    city
  )
  select entry.site_key, last.id + row_number() over (partition by entry.site_key order by entry.value),
    utc_day(entry.at), utc_day(entry.at), entry.value,
    entry.country,
    entry.region,
    entry.city
  from jsonb_to_recordset(fresh) as entry(
    site_key integer, value text, at bigint, kind text,
    country text,
    region text,
    city text
  )
  join last_ids(fresh, 'place') last using (site_key)
  where not is_refused(refused, entry.site_key, entry.kind, entry.value);
  if refused is null then
    return null;
  end if;
  limited := limited_places(batch, refused);
  return coalesce(admit_places(limited), limited);
end
$$;

-- The entries of the batch that a site's dictionary doesn't have, each with what its new values count as.
create or replace function lacking_origins(batch jsonb) returns jsonb
language plpgsql stable as $$
begin
  return (
    select jsonb_agg(entry)
    from (
      select distinct on (sites.key, d.value) sites.key as site_key, d.value, (b.event ->> 'at')::bigint as at,
        case
          when coalesce(
            nullif(event ->> 'utmTerm', other_value()),
            nullif(event ->> 'utmContent', other_value())
          ) is not null then 'terms'
          when coalesce(
            nullif(event ->> 'utmSource', other_value()),
            nullif(event ->> 'utmMedium', other_value()),
            nullif(event ->> 'utmCampaign', other_value())
          ) is not null then 'campaigns'
          when coalesce(
            nullif(nullif(event ->> 'hostname', coalesce(sites.first_domain, sites.domain)), other_value()),
            nullif(event ->> 'source', other_value())
          ) is not null then 'sources'
        end as kind,
        nullif(event ->> 'hostname', coalesce(sites.first_domain, sites.domain)) as hostname,
        event ->> 'source' as source,
        event ->> 'channel' as channel,
        event ->> 'utmSource' as utm_source,
        event ->> 'utmMedium' as utm_medium,
        event ->> 'utmCampaign' as utm_campaign,
        event ->> 'utmTerm' as utm_term,
        event ->> 'utmContent' as utm_content
      from jsonb_array_elements(batch) as b(event)
      join sites on sites.id = (b.event ->> 'siteId')::uuid
      cross join lateral (values (origin_key(b.event, coalesce(sites.first_domain, sites.domain)))) as d(value)
      where not exists (select from site_origins known where known.site_key = sites.key and known.value = d.value)
      order by sites.key, d.value, at
    ) entry
  );
end
$$;

-- The batch with refused values as `(other)`.
create or replace function limited_origins(batch jsonb, refused jsonb) returns jsonb
language plpgsql stable as $$
begin
  return (
    select jsonb_agg(
      case
        when is_refused(refused, d.site_key, 'terms', d.value) then as_other(b.event, array[
          'utmTerm',
          'utmContent'
        ])
        when is_refused(refused, d.site_key, 'campaigns', d.value) then as_other(b.event, array[
          'utmSource',
          'utmMedium',
          'utmCampaign'
        ])
        when is_refused(refused, d.site_key, 'sources', d.value) then as_other(b.event, array[
          case when nullif(event ->> 'hostname', coalesce(sites.first_domain, sites.domain)) is not null
            then 'hostname' end,
          'source'
        ])
        else b.event
      end
      order by b.position
    )
    from jsonb_array_elements(batch) with ordinality as b(event, position)
    left join sites on sites.id = (b.event ->> 'siteId')::uuid
    cross join lateral (
      values (sites.key, origin_key(b.event, coalesce(sites.first_domain, sites.domain)))
    ) as d(site_key, value)
  );
end
$$;

-- Gives numbers to the entries of the batch that a site's dictionary didn't have before. Returns the batch with what
-- is beyond the day's limits as `(other)`; null: nothing is.
create or replace function admit_origins(batch jsonb) returns jsonb
language plpgsql as $$
declare
  fresh constant jsonb := lacking_origins(batch);
  refused jsonb;
  limited jsonb;
begin
  if fresh is null then
    return null;
  end if;
  refused := refuse_values(fresh);
  insert into site_origins (
    site_key, id, first_day, last_day, value,
    hostname,
    source,
    channel,
    utm_source,
    utm_medium,
    utm_campaign,
    utm_term,
    utm_content
  )
  select entry.site_key, last.id + row_number() over (partition by entry.site_key order by entry.value),
    utc_day(entry.at), utc_day(entry.at), entry.value,
    entry.hostname,
    entry.source,
    entry.channel,
    entry.utm_source,
    entry.utm_medium,
    entry.utm_campaign,
    entry.utm_term,
    entry.utm_content
  from jsonb_to_recordset(fresh) as entry(
    site_key integer, value text, at bigint, kind text,
    hostname text,
    source text,
    channel text,
    utm_source text,
    utm_medium text,
    utm_campaign text,
    utm_term text,
    utm_content text
  )
  join last_ids(fresh, 'origin') last using (site_key)
  where not is_refused(refused, entry.site_key, entry.kind, entry.value);
  if refused is null then
    return null;
  end if;
  limited := limited_origins(batch, refused);
  return coalesce(admit_origins(limited), limited);
end
$$;
