-- Rollup rows name dimensions by number; these are for good.
create or replace function dimension_number(name text) returns smallint
language sql immutable parallel safe as $$
  select array_position(array[
    'source', 'channel', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'hostname',
    'country', 'region', 'city', 'device', 'browser', 'os', 'language',
    'page', 'entry_page', 'exit_page', 'event', 'goal', 'funnel', 'reach', 'cohort'], name)::smallint
$$;

-- The values of dictionary entries as lists show them; null is left out of lists.
create or replace view profile_values as
  select site_key, id, d.dimension, d.value
  from site_profiles cross join lateral (values
    ('device', coalesce(device, 'Unknown')), ('browser', coalesce(browser, 'Unknown')),
    ('os', coalesce(os, 'Unknown')), ('language', coalesce(language, 'Unknown'))
  ) as d(dimension, value)
  where id > 0;
create or replace view place_values as
  select site_key, id, d.dimension, d.value
  from site_places cross join lateral (values
    ('country', coalesce(country, 'Unknown')), ('region', region), ('city', city)
  ) as d(dimension, value)
  where id > 0;
create or replace view origin_values as
  select o.site_key, o.id, d.dimension, d.value
  from site_origins o cross join lateral (values
    ('source', coalesce(source, 'Direct')), ('channel', coalesce(channel, 'Direct')),
    ('utm_source', utm_source), ('utm_medium', utm_medium), ('utm_campaign', utm_campaign), ('utm_term', utm_term),
    ('utm_content', utm_content), ('hostname', coalesce(hostname, (select domain from sites where key = o.site_key)))
  ) as d(dimension, value)
  where o.id > 0;

-- The first day of the block of `span` days that holds a day.
create or replace function block_start(day date, span integer) returns date
language sql immutable parallel safe as $$
  select day - (((day - date '2001-01-01') % span) + span) % span
$$;

-- Gives the values of a site's new dictionary entries an id in site_texts. Needs the site's lock, as the fold has it.
create or replace function name_values(of_site integer) returns void
language plpgsql as $$
declare
  done integer[];
begin
  insert into site_seals (site_key, named) values (of_site, '{0,0,0}') on conflict (site_key) do nothing;
  select named into done from site_seals where site_key = of_site;
  insert into site_texts (site_key, id, value)
  select of_site, (select coalesce(max(id), 0) from site_texts where site_key = of_site and id > 0) + row_number() over (order by value), value
  from (
    select value from profile_values where site_key = of_site and id > done[1]
    union select value from place_values where site_key = of_site and id > done[2]
    union select value from origin_values where site_key = of_site and id > done[3]
  ) shown
  where value is not null and not exists (select from site_texts known where known.site_key = of_site and known.value = shown.value);
  update site_seals set named = array[
    coalesce((select max(id) from site_profiles where site_key = of_site and id > 0), 0),
    coalesce((select max(id) from site_places where site_key = of_site and id > 0), 0),
    coalesce((select max(id) from site_origins where site_key = of_site and id > 0), 0)]
  where site_key = of_site;
end
$$;

-- The same by ids of site_texts; 0: none.
create or replace function value_ids(of_site integer, dictionary text) returns table (dimension text, id integer, text_id integer)
language sql stable as $$
  select shown.dimension, shown.id, coalesce(t.id, 0)
  from (
    select dimension, id, value from profile_values where dictionary = 'profile' and site_key = of_site
    union all select dimension, id, value from place_values where dictionary = 'place' and site_key = of_site
    union all select dimension, id, value from origin_values where dictionary = 'origin' and site_key = of_site
  ) shown
  left join site_texts t on t.site_key = of_site and t.value = shown.value
$$;
