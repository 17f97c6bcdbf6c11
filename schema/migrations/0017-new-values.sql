-- Anybody can write paths, names and links: a site's day takes only so many new ones
-- (schema/functions/new-values.sql).

create table new_values (
  site_key integer not null,
  day date not null,
  kind text not null,
  taken integer not null,
  primary key (site_key, day, kind)
);
comment on table new_values is
  'How many new values of a kind (pages, events, terms, campaigns, sources, places, languages) a site''s '
  'dictionaries took on a UTC day. Kept as long as raw events.';

create table other_days (
  site_key integer not null,
  day timestamptz not null,
  kind text not null,
  events bigint not null,
  primary key (site_key, day, kind)
);
comment on table other_days is
  'Events that count as (other) because their day had too many new values of a kind, by the site''s day.';
