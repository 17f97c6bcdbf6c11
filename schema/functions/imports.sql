-- An import is sent in pieces, numbered from 1 and in order. The number of the last piece is stored, so each piece is
-- taken once. Reports see an import when it is finished.
drop function if exists begin_import(uuid, text, jsonb, text[], bigint, timestamptz);
drop function if exists add_import_values(
  uuid, uuid, text, date[], jsonb, integer[], integer[], integer[], integer[], integer[]
);
drop function if exists finish_import(uuid, uuid, timestamptz);
drop function if exists undo_import(uuid, uuid, timestamptz);
drop function if exists audit_import(uuid, uuid, text, timestamptz);

-- The first day of a site that can't be imported: the day of the site's first event, or yesterday at the latest, since
-- servers may still send events for it.
create or replace function import_end(site_key integer, zone text, instant timestamptz) returns date
language sql stable as $$
  select least(
    (instant at time zone zone)::date - 1,
    (select (f.first_event_at at time zone zone)::date from site_freshness f where f.site_key = import_end.site_key)
  )
$$;

-- Begins an import of these lists, or continues the unfinished one with the same content, which then has a whole day
-- again to be finished. Any other unfinished import of the site is removed. Refused: `many`.
create or replace function begin_import(
  site uuid, import_source text, names text[], content bytea, most integer, instant timestamptz, out import_id uuid,
  out refused text
)
language plpgsql as $$
declare
  key_of_site integer;
begin
  perform pg_advisory_xact_lock(hashtextextended(site::text, 0));
  select key into key_of_site from sites where id = site;
  select i.id
  into import_id
  from site_imports i
  where i.site_key = key_of_site
    and i.finished_at is null
    and i.content_hash = content
    and i.source = import_source
    and i.dimensions = names;
  perform undo_import(site, i.id)
  from site_imports i
  where i.site_key = key_of_site and i.finished_at is null and i.id is distinct from begin_import.import_id;
  if import_id is not null then
    update site_imports i set created_at = instant where i.site_key = key_of_site and i.id = begin_import.import_id;
    return;
  end if;
  if (select count(*) from site_imports i where i.site_key = key_of_site) >= most then
    refused := 'many';
    return;
  end if;
  insert into site_imports (site_key, source, from_day, to_day, dimensions, rows, text_id, content_hash, created_at)
  select key_of_site, import_source, day, day, names, 0, 0, content, instant
  from (select instant::date as day) begun
  returning id into import_id;
end
$$;

-- The unfinished import whose next piece is `number`. Refused: `import` (none is unfinished), `order` (another piece
-- is next). All columns are null if the piece was taken before. Locks the site.
create or replace function next_import_piece(
  site uuid, import uuid, number integer, out key_of_site integer, out known_rows bigint, out names text[],
  out refused text
)
language plpgsql as $$
declare
  known_pieces integer;
begin
  perform pg_advisory_xact_lock(hashtextextended(site::text, 0));
  select i.site_key, i.rows, i.dimensions, i.pieces
  into key_of_site, known_rows, names, known_pieces
  from sites join site_imports i on i.site_key = sites.key
  where sites.id = site and i.id = import and i.finished_at is null;
  refused := case when key_of_site is null then 'import' when number > known_pieces + 1 then 'order' end;
  if refused is not null or number <= known_pieces then
    key_of_site := null;
  end if;
end
$$;

-- Adds a piece with totals: a JSON array of [date, visitors, visits, page views]. Also refused: `end` (a day isn't
-- over, or the site has data of its own), `imported` (an import has one of the days).
create or replace function add_import_days(
  site uuid, import uuid, number integer, days jsonb, instant timestamptz, out refused text
)
language plpgsql as $$
declare
  step record;
  zone text;
begin
  step := next_import_piece(site, import, number);
  refused := step.refused;
  if step.key_of_site is null then
    return;
  end if;
  select timezone into zone from sites where id = site;
  if exists (
    select
    from jsonb_array_elements(days) as d(item)
    where (d.item ->> 0)::date >= import_end(step.key_of_site, zone, instant)
  )
  then
    refused := 'end';
    return;
  end if;
  if exists (
    select
    from jsonb_array_elements(days) as d(item)
    join imported_days i on i.site_key = step.key_of_site and i.day = (d.item ->> 0)::date
  )
  then
    refused := 'imported';
    return;
  end if;
  insert into imported_days (site_key, day, import_id, starts_at, hours, visitors, visits, pageviews)
  select
    step.key_of_site, d.day, import, d.starts_at,
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
  update site_imports i
  set pieces = number, rows = i.rows + jsonb_array_length(days)
  where i.site_key = step.key_of_site and i.id = import;
end
$$;

-- Adds a piece with values of one dimension: a JSON array of [date, value, visitors, visits, page views]. A day's
-- values may come in several pieces. Also refused: `day` (one of the days has no totals), `dimension` (the import
-- doesn't have this list), `large` (more rows than `most`).
create or replace function add_import_values(
  site uuid, import uuid, number integer, dimension text, values_of_days jsonb, most bigint, out refused text
)
language plpgsql as $$
declare
  step record;
begin
  step := next_import_piece(site, import, number);
  refused := step.refused;
  if step.key_of_site is null then
    return;
  end if;
  refused := case
    when not dimension = any (step.names) then 'dimension'
    when step.known_rows + jsonb_array_length(values_of_days) > most then 'large'
    when exists (
      select
      from (
        select distinct (v.item ->> 0)::date as day
        from jsonb_array_elements(values_of_days) as v(item)
      ) asked
      left join imported_days d on d.site_key = step.key_of_site and d.day = asked.day and d.import_id = import
      where d.day is null
    ) then 'day'
  end;
  if refused is not null then
    return;
  end if;
  perform name_texts(step.key_of_site, array_agg(named.value), array_agg(first_day), array_agg(last_day))
  from (
    select v.item ->> 1 as value, min((v.item ->> 0)::date) as first_day, max((v.item ->> 0)::date) as last_day
    from jsonb_array_elements(values_of_days) as v(item)
    group by 1
  ) named;
  insert into rollup_values as known (
    site_key, bucket, span, dimension, value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2,
    visitors_3
  )
  select
    step.key_of_site, (v.item ->> 0)::date, 1, dimension_number(dimension), array_agg(text.id), array_agg(0),
    array_agg((v.item ->> 4)::integer), array_agg(0), array_agg(0), array_agg((v.item ->> 3)::integer), array_agg(0),
    array_agg((v.item ->> 2)::integer), array_agg(0)
  from jsonb_array_elements(values_of_days) as v(item)
  join site_texts text on text.site_key = step.key_of_site and text.value = v.item ->> 1
  group by 2
  on conflict on constraint rollup_values_pkey do update set value = known.value
    || excluded.value, hits_1 = known.hits_1 || excluded.hits_1, hits_2 = known.hits_2
    || excluded.hits_2, hits_3 = known.hits_3 || excluded.hits_3, visits_1 = known.visits_1
    || excluded.visits_1, visits_2 = known.visits_2 || excluded.visits_2, visits_3 = known.visits_3
    || excluded.visits_3, visitors_2 = known.visitors_2 || excluded.visitors_2, visitors_3 = known.visitors_3
    || excluded.visitors_3;
  update site_imports i
  set pieces = number, rows = i.rows + jsonb_array_length(values_of_days)
  where i.site_key = step.key_of_site and i.id = import;
end
$$;

-- The days of a site's finished imports; with `import`, of this one.
create or replace function counted_imports(of_site integer, import uuid) returns setof imported_days
language sql stable as $$
  select d.*
  from imported_days d join site_imports i on i.site_key = d.site_key and i.id = d.import_id
  where d.site_key = of_site and i.finished_at is not null and (import is null or i.id = import)
$$;

-- Adds what these imports have to the sums of hours and to the visitors of hours and days.
create or replace function count_imports(of_site integer, import uuid) returns void
language sql as $$
  insert into rollup_hours as known (site_key, hour, tier, pageviews, visits, measured, bounces, duration_ms)
  select site_key, starts_at, 2, pageviews, visits, 0, 0, 0
  from counted_imports(of_site, import)
  where pageviews > 0 or visits > 0
  on conflict (
    site_key, hour, tier
  ) do update set pageviews = known.pageviews + excluded.pageviews, visits = known.visits + excluded.visits;
  insert into rollup_visitors as known (site_key, unit, bucket, tier, previous, visitors)
  select site_key, unit, starts_at, 2, '-infinity', visitors
  from counted_imports(of_site, import) cross join (values ('hour'), ('day')) as u(unit)
  where visitors > 0
  on conflict (
    site_key, unit, bucket, tier, previous
  ) do update set visitors = known.visitors + excluded.visitors
$$;

-- Takes what these imports have out of these sums. What is left belongs to visits.
create or replace function uncount_imports(of_site integer, import uuid) returns void
language sql as $$
  update rollup_hours r
  set pageviews = r.pageviews - d.pageviews, visits = r.visits - d.visits
  from counted_imports(of_site, import) d
  where r.site_key = of_site and r.hour = d.starts_at and r.tier = 2;
  delete from rollup_hours r using counted_imports(of_site, import) d
  where r.site_key = of_site and r.hour = d.starts_at and r.tier = 2 and r.pageviews = 0 and r.visits = 0;
  update rollup_visitors r
  set visitors = r.visitors - d.visitors
  from counted_imports(of_site, import) d
  where r.site_key = of_site
    and r.unit in ('hour', 'day')
    and r.bucket = d.starts_at
    and r.tier = 2
    and r.previous = '-infinity';
  delete from rollup_visitors r using counted_imports(of_site, import) d
  where r.site_key = of_site
    and r.unit in ('hour', 'day')
    and r.bucket = d.starts_at
    and r.tier = 2
    and r.previous = '-infinity'
    and r.visitors = 0
$$;

-- Makes an import of `number` pieces visible to reports. `finished`: it became visible by this call. Refused: `import`
-- (there is none), `order` (pieces are missing), `end` (the site has data of its own by now in these days), `empty`.
create or replace function finish_import(
  site uuid, import uuid, number integer, instant timestamptz, out finished boolean, out refused text
)
language plpgsql as $$
declare
  found_one site_imports;
  last_day date;
begin
  perform pg_advisory_xact_lock(hashtextextended(site::text, 0));
  select i.*
  into found_one
  from sites join site_imports i on i.site_key = sites.key
  where sites.id = site and i.id = import;
  finished := false;
  refused := case when found_one.id is null then 'import' when found_one.pieces <> number then 'order' end;
  if refused is not null or found_one.finished_at is not null then
    return;
  end if;
  select max(day) into last_day from imported_days where site_key = found_one.site_key and import_id = import;
  refused := case
    when last_day is null then 'empty'
    when exists (
      select
      from sites join site_freshness f on f.site_key = sites.key
      where sites.id = site and (f.first_event_at at time zone sites.timezone)::date <= last_day
    ) then 'end'
  end;
  if refused is not null then
    return;
  end if;
  finished := true;
  update site_imports i
  set finished_at = instant, from_day = d.first_day, to_day = d.last_day
  from (
    select min(day) as first_day, max(day) as last_day
    from imported_days
    where site_key = found_one.site_key and import_id = import
  ) d
  where i.site_key = found_one.site_key and i.id = import
  returning i.* into found_one;
  perform send_site_message(
    found_one.site_key, 'import.finished',
    jsonb_build_object(
      'import', jsonb_build_object('id', import, 'source', found_one.source),
      'from', found_one.from_day, 'to', found_one.to_day
    ),
    instant, 'import ' || import
  );
  perform count_imports(found_one.site_key, import);
  insert into sealed_days (site_key, span, bucket, until, ready)
  select site_key, 1, day, local_day(starts_at + interval '36 hours', sites.timezone), true
  from imported_days join sites on sites.key = site_key
  where site_key = found_one.site_key and import_id = import;
end
$$;

-- Removes an import, finished or not, by subtracting what it added; other data of its days stay. Its texts are deleted
-- when a search has found that nothing else uses them. False: there is no such import.
create or replace function undo_import(site uuid, import uuid) returns boolean
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
  perform uncount_imports(undone.site_key, import);
  perform doubt_values(undone.site_key, 'text', array_agg(distinct v.id))
  from imported_days d
  join rollup_values r on r.site_key = d.site_key and r.bucket = d.day and r.span = 1
  cross join lateral unnest(r.value) as v(id)
  where d.site_key = undone.site_key and d.import_id = import;
  -- Longer blocks contain its days: they are made again from the days.
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

-- Removes the oldest unfinished import, if it was interrupted more than a day ago. Reads all imports, a few per site,
-- and costs as much as `undo_import`. Only one call runs at a time, so that a slow removal isn't begun twice.
create or replace function expire_imports(instant timestamptz, out deleted integer, out finished boolean)
language plpgsql as $$
declare
  broken_off record;
begin
  instant := trusted_instant(instant);
  deleted := 0;
  finished := true;
  if not pg_try_advisory_xact_lock(hashtextextended('expire_imports', 0)) then
    return;
  end if;
  select s.id as site, i.id as import, i.rows
  into broken_off
  from site_imports i join sites s on s.key = i.site_key
  where i.finished_at is null and i.created_at < instant - interval '1 day'
  order by i.created_at
  limit 1;
  if broken_off.import is null then
    return;
  end if;
  -- Before the site was locked, the import may have been finished or continued.
  perform pg_advisory_xact_lock(hashtextextended(broken_off.site::text, 0));
  finished := false;
  perform undo_import(broken_off.site, i.id)
  from site_imports i join sites s on s.key = i.site_key
  where s.id = broken_off.site
    and i.id = broken_off.import
    and i.finished_at is null
    and i.created_at < instant - interval '1 day';
  if found then
    deleted := broken_off.rows;
  end if;
end
$$;
