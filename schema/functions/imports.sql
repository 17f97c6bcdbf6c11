-- Begins an import of `days`, a JSON array of [date, visitors, visits, page views]. Tells why not in `refused`:
-- `site` (there is none), `own` (the site's own data begin before the last of the days is over), `imported` (another
-- import has one of them). What an import that was broken off left behind goes.
create or replace function begin_import(
  site uuid, import_source text, days jsonb, names text[], row_count bigint, instant timestamptz, out import_id uuid,
  out refused text
)
language plpgsql as $$
declare
  key_of_site integer;
  zone text;
begin
  perform pg_advisory_xact_lock(hashtextextended(site::text, 0));
  select key, timezone into key_of_site, zone from sites where id = site;
  if key_of_site is null then
    refused := 'site';
    return;
  end if;
  perform undo_import(site, i.id, instant)
  from site_imports i
  where i.site_key = key_of_site and i.finished_at is null;
  if exists (
    select
    from jsonb_array_elements(days) as d(item)
    join site_freshness f on f.site_key = key_of_site
      and (f.first_event_at at time zone zone)::date <= (d.item ->> 0)::date
  )
  then
    refused := 'own';
    return;
  end if;
  if exists (
    select
    from jsonb_array_elements(days) as d(item)
    join imported_days i on i.site_key = key_of_site and i.day = (d.item ->> 0)::date
  )
  then
    refused := 'imported';
    return;
  end if;
  insert into site_imports (site_key, source, from_day, to_day, dimensions, rows, text_id, created_at)
  select
    key_of_site, import_source, min((d.item ->> 0)::date), max((d.item ->> 0)::date), names, row_count, 0, instant
  from jsonb_array_elements(days) as d(item)
  returning id into import_id;
  insert into imported_days (site_key, day, import_id, starts_at, hours, visitors, visits, pageviews)
  select
    key_of_site, d.day, begin_import.import_id, d.starts_at,
    round(extract(epoch from d.ends_at - d.starts_at) / 3600),
    d.visitors, d.visits, d.pageviews
  from (
    select
      (item ->> 0)::date as day, (item ->> 1)::integer as visitors, (item ->> 2)::integer as visits,
      (item ->> 3)::integer as pageviews,
      local_day(((item ->> 0)::date + time '12:00') at time zone zone, zone) as starts_at,
      local_day(((item ->> 0)::date + 1 + time '12:00') at time zone zone, zone) as ends_at
    from jsonb_array_elements(days) as d(item)
  ) d;
end
$$;

-- Adds a part of an import's values of one dimension: parallel arrays, with the places of days and values in `days`
-- and `texts`, from 1. All of a day comes in one part. False: there is no such import under way.
create or replace function add_import_values(
  site uuid, import uuid, dimension text, days date[], texts jsonb, day_places integer[], text_places integer[],
  visitors integer[], visits integer[], hits integer[]
)
returns boolean
language plpgsql as $$
declare
  key_of_site integer;
  text_ids integer[];
begin
  perform pg_advisory_xact_lock(hashtextextended(site::text, 0));
  select sites.key
  into key_of_site
  from sites join site_imports i on i.site_key = sites.key and i.id = import and i.finished_at is null
  where sites.id = site;
  if key_of_site is null then
    return false;
  end if;
  perform name_texts(key_of_site, array_agg(value), array_agg(first_day), array_agg(last_day))
  from (
    select t.value, min(days[v.day_place]) as first_day, max(days[v.day_place]) as last_day
    from unnest(day_places, text_places) as v(day_place, text_place)
    join jsonb_array_elements_text(texts) with ordinality as t(value, place) on t.place = v.text_place
    group by t.value
  ) named;
  select array_agg(known.id order by t.place)
  into text_ids
  from jsonb_array_elements_text(texts) with ordinality as t(value, place)
  join site_texts known on known.site_key = key_of_site and known.value = t.value;
  insert into rollup_values (
    site_key, bucket, span, dimension, value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2,
    visitors_3
  )
  select
    key_of_site, days[v.day_place], 1, dimension_number(dimension),
    array_agg(text_ids[v.text_place] order by v.text_place),
    array_agg(0), array_agg(v.hits order by v.text_place), array_agg(0), array_agg(0),
    array_agg(v.visits order by v.text_place),
    array_agg(0),
    array_agg(v.visitors order by v.text_place),
    array_agg(0)
  from unnest(day_places, text_places, visitors, visits, hits) as v(day_place, text_place, visitors, visits, hits)
  group by v.day_place;
  return true;
end
$$;

-- Lets the reports see an import. False: there is none under way, or the site's own data have come to reach into it.
create or replace function finish_import(site uuid, import uuid, instant timestamptz) returns boolean
language plpgsql as $$
declare
  key_of_site integer;
begin
  perform pg_advisory_xact_lock(hashtextextended(site::text, 0));
  update site_imports i
  set finished_at = instant
  from sites
  where sites.id = site
    and i.site_key = sites.key
    and i.id = import
    and i.finished_at is null
    and not exists (
      select
      from site_freshness f
      where f.site_key = sites.key and (f.first_event_at at time zone sites.timezone)::date <= i.to_day
    )
  returning sites.key into key_of_site;
  if key_of_site is null then
    return false;
  end if;
  insert into rollup_hours (site_key, hour, tier, pageviews, visits, measured, bounces, duration_ms)
  select key_of_site, starts_at, 2, pageviews, visits, 0, 0, 0
  from imported_days
  where site_key = key_of_site and import_id = import and (pageviews > 0 or visits > 0);
  insert into rollup_visitors (site_key, unit, bucket, tier, previous, visitors)
  select key_of_site, unit, starts_at, 2, '-infinity', visitors
  from imported_days cross join (values ('hour'), ('day')) as u(unit)
  where site_key = key_of_site and import_id = import and visitors > 0;
  insert into sealed_days (site_key, span, bucket, until, ready)
  select key_of_site, 1, day, local_day(starts_at + interval '36 hours', sites.timezone), true
  from imported_days join sites on sites.key = site_key
  where site_key = key_of_site and import_id = import;
  perform audit_import(site, import, 'import.add', instant);
  return true;
end
$$;

-- Takes an import out again, also one that was broken off: what it added is subtracted, so that anything else of its
-- days stays. Its texts go once it is known that nothing else names them. False: there is no such import.
create or replace function undo_import(site uuid, import uuid, instant timestamptz) returns boolean
language plpgsql as $$
declare
  undone site_imports;
begin
  perform pg_advisory_xact_lock(hashtextextended(site::text, 0));
  select i.*
  into undone
  from sites join site_imports i on i.site_key = sites.key
  where sites.id = site and i.id = import;
  if undone.id is null then
    return false;
  end if;
  if undone.finished_at is not null then
    update rollup_hours r
    set pageviews = r.pageviews - d.pageviews, visits = r.visits - d.visits
    from imported_days d
    where d.site_key = undone.site_key
      and d.import_id = import
      and r.site_key = d.site_key
      and r.hour = d.starts_at
      and r.tier = 2;
    delete from rollup_hours r using imported_days d
    where d.site_key = undone.site_key
      and d.import_id = import
      and r.site_key = d.site_key
      and r.hour = d.starts_at
      and r.tier = 2
      and r.pageviews = 0
      and r.visits = 0;
    update rollup_visitors r
    set visitors = r.visitors - d.visitors
    from imported_days d
    where d.site_key = undone.site_key
      and d.import_id = import
      and r.site_key = d.site_key
      and r.bucket = d.starts_at
      and r.unit in ('hour', 'day')
      and r.tier = 2
      and r.previous = '-infinity';
    delete from rollup_visitors r using imported_days d
    where d.site_key = undone.site_key
      and d.import_id = import
      and r.site_key = d.site_key
      and r.bucket = d.starts_at
      and r.unit in ('hour', 'day')
      and r.tier = 2
      and r.previous = '-infinity'
      and r.visitors = 0;
    perform audit_import(site, import, 'import.undo', instant);
  end if;
  perform doubt_values(undone.site_key, 'text', array_agg(distinct v.id))
  from imported_days d
  join rollup_values r on r.site_key = d.site_key and r.bucket = d.day and r.span = 1
  cross join lateral unnest(r.value) as v(id)
  where d.site_key = undone.site_key and d.import_id = import;
  -- Longer blocks hold its days too: they are made of the days again.
  delete from rollup_values r using imported_days d
  where d.site_key = undone.site_key
    and d.import_id = import
    and r.site_key = d.site_key
    and r.bucket <= d.day
    and r.bucket > d.day - r.span;
  delete from sealed_days s using imported_days d
  where d.site_key = undone.site_key
    and d.import_id = import
    and s.site_key = d.site_key
    and s.bucket <= d.day
    and s.bucket > d.day - s.span;
  delete from imported_days where site_key = undone.site_key and import_id = import;
  delete from site_imports where site_key = undone.site_key and id = import;
  return true;
end
$$;

-- Whoever has the database imports: there is no token and no person to name.
create or replace function audit_import(site uuid, import uuid, action text, instant timestamptz) returns void
language sql as $$
  insert into audit_log (project_id, at, actor, action, site, subject, request_id)
  select
    project_id, instant, '{"kind": "operator"}', action, id,
    sha256(convert_to(site::text || ' ' || import::text, 'UTF8')),
    import::text
  from sites
  where id = site
$$;
