create table if not exists rollup_values (
  site_key integer not null, bucket date not null, span smallint not null, dimension smallint not null,
  value integer[] not null, hits_1 integer[] not null, hits_2 integer[] not null, hits_3 integer[] not null,
  visits_1 integer[] not null, visits_2 integer[] not null, visits_3 integer[] not null,
  visitors_2 integer[] not null, visitors_3 integer[] not null,
  gap_value integer[], gap_tier smallint[], gap smallint[], returned integer[], resumed integer[],
  primary key (site_key, bucket, span, dimension)
);
create table if not exists sealed_days (
  site_key integer not null, span smallint not null, bucket date not null, until timestamptz not null, ready boolean not null,
  primary key (site_key, span, bucket)
);
create or replace function dimension_number(name text) returns smallint
language sql immutable parallel safe as $$
  select array_position(array[
    'source', 'channel', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'hostname',
    'country', 'region', 'city', 'device', 'browser', 'os', 'language',
    'page', 'entry_page', 'exit_page', 'event'], name)::smallint
$$;
