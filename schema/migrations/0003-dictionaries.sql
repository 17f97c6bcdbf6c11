-- Visits and their rollups ---------------------------------------------------------------------------------------
-- Raw events are appended and kept for two days; `ingest_events` folds each batch into visits, one compact row a
-- visit, and into hourly rollups. A visit counts, and its visitor counts, where the visit began; a page view counts
-- where it happened. Hours and days are those of the site's time zone.
--
-- `events_time`, `visits_quarters` and the dictionaries' indexes by id have a condition that is always true. Only
-- reports name it, so that the fold can't be planned with them: on a partition without statistics, as each is when it
-- is new, they look as good as the index that finds a visitor at once.

create table site_texts (
  site_key integer not null,
  id integer not null,
  value text not null,
  primary key (site_key, value)
);
create unique index site_texts_id on site_texts (site_key, id) where id > 0;
comment on table site_texts is
  'Dictionary of a site''s paths and event names, numbered from 1, so that visits hold small integers.';

-- What tells two rows of a site's dictionaries apart; absent and empty are one.
create or replace function profile_key(device text, browser text, os text, language text) returns text
language sql immutable parallel safe as $$
  select coalesce(device, '')
    || chr(31) || coalesce(browser, '')
    || chr(31) || coalesce(os, '')
    || chr(31) || coalesce(language, '')
$$;
create or replace function place_key(country text, region text, city text) returns text
language sql immutable parallel safe as $$
  select coalesce(country, '')
    || chr(31) || coalesce(region, '')
    || chr(31) || coalesce(city, '')
$$;
create or replace function origin_key(
  hostname text, source text, channel text, utm_source text, utm_medium text, utm_campaign text, utm_term text,
  utm_content text
)
returns text
language sql immutable parallel safe as $$
  select coalesce(hostname, '')
    || chr(31) || coalesce(source, '')
    || chr(31) || coalesce(channel, '')
    || chr(31) || coalesce(utm_source, '')
    || chr(31) || coalesce(utm_medium, '')
    || chr(31) || coalesce(utm_campaign, '')
    || chr(31) || coalesce(utm_term, '')
    || chr(31) || coalesce(utm_content, '')
$$;

create table site_profiles (
  site_key integer not null,
  id integer not null,
  device text,
  browser text,
  os text,
  language text,
  value text not null generated always as (profile_key(device, browser, os, language)) stored,
  primary key (site_key, value)
);
create unique index site_profiles_id on site_profiles (site_key, id) where id > 0;
comment on table site_profiles is
  'Dictionary of what a site''s visitors have in common with others, numbered from 1 without gaps: few combinations '
  'serve most visits.';
comment on column site_profiles.os is 'Tier 3 only.';
comment on column site_profiles.language is 'Tiers 2 and 3.';

create table site_places (
  site_key integer not null,
  id integer not null,
  country text,
  region text,
  city text,
  value text not null generated always as (place_key(country, region, city)) stored,
  primary key (site_key, value)
);
create unique index site_places_id on site_places (site_key, id) where id > 0;
comment on table site_places is
  'Dictionary of where a site''s visitors were, as the edge saw it; numbered as site_profiles.';
comment on column site_places.country is 'ISO 3166-1 alpha-2.';
comment on column site_places.region is 'ISO 3166-2. Tiers 2 and 3.';
comment on column site_places.city is 'Tiers 2 and 3.';

create table site_origins (
  site_key integer not null,
  id integer not null,
  hostname text,
  source text,
  channel text,
  utm_source text,
  utm_medium text,
  utm_campaign text,
  utm_term text,
  utm_content text,
  value text not null generated always as (
    origin_key(hostname, source, channel, utm_source, utm_medium, utm_campaign, utm_term, utm_content)
  ) stored,
  primary key (site_key, value)
);
create unique index site_origins_id on site_origins (site_key, id) where id > 0;
comment on table site_origins is
  'Dictionary of how visits came to a site, and to which of its hosts; numbered as site_profiles.';
comment on column site_origins.hostname is 'Null: the domain that the site was made with.';
comment on column site_origins.source is 'As shown; null is direct.';
