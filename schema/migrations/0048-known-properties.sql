-- Anybody can write keys and values of properties: a site's day takes only so many new ones
-- (schema/functions/properties.sql).

create table known_properties (
  site_key integer not null,
  last_day date not null,
  digest bytea not null,
  primary key (site_key, digest)
);
create index known_properties_day on known_properties (last_day);
comment on table known_properties is
  'Keys and values of properties that a site had on the last days: these are not new. Kept as long as raw events.';
comment on column known_properties.last_day is 'The last UTC day that had it.';
comment on column known_properties.digest is
  '16 bytes of a SHA-256 of the event''s name (its id; 0: a page view), the key, and for a value the value.';
