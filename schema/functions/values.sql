-- The deletion of dictionary values. Each value has the first and last UTC day of the rows that use it; the fold
-- widens these days, at most once per day and value. Retention deletes values whose last day has expired. For values
-- that a deleted visitor or import used, a search finds out whether anything else uses them. Values are deleted under
-- their site's lock, under which the fold looks them up and uses them.

-- Widens the days of the values that events name.
create or replace function raise_values(fresh events[]) returns void
language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
begin
  with named as materialized (
    select d.dictionary, e.site_key, d.id, min(e.day) as first_day, max(e.day) as last_day
    from (select *, (occurred_at at time zone 'UTC')::date as day from unnest(fresh)) e
    cross join lateral (
      values ('text', path_id), ('text', name_id), ('profile', profile_id), ('place', place_id), ('origin', origin_id)
    ) as d(dictionary, id)
    where d.id is not null
    group by d.dictionary, e.site_key, d.id
  ),
  texts as (
    update site_texts t
    set first_day = least(t.first_day, n.first_day), last_day = greatest(t.last_day, n.last_day)
    from named n
    where n.dictionary = 'text'
      and t.site_key = n.site_key
      and t.id = n.id
      and t.id > 0
      and (n.first_day < t.first_day or n.last_day > t.last_day)
  ),
  profiles as (
    update site_profiles t
    set first_day = least(t.first_day, n.first_day), last_day = greatest(t.last_day, n.last_day)
    from named n
    where n.dictionary = 'profile'
      and t.site_key = n.site_key
      and t.id = n.id
      and t.id > 0
      and (n.first_day < t.first_day or n.last_day > t.last_day)
  ),
  places as (
    update site_places t
    set first_day = least(t.first_day, n.first_day), last_day = greatest(t.last_day, n.last_day)
    from named n
    where n.dictionary = 'place'
      and t.site_key = n.site_key
      and t.id = n.id
      and t.id > 0
      and (n.first_day < t.first_day or n.last_day > t.last_day)
  )
  update site_origins t
  set first_day = least(t.first_day, n.first_day), last_day = greatest(t.last_day, n.last_day)
  from named n
  where n.dictionary = 'origin'
    and t.site_key = n.site_key
    and t.id = n.id
    and t.id > 0
    and (n.first_day < t.first_day or n.last_day > t.last_day);
end
$$;

-- Gives ids to the texts of a site that have none, and widens the days of the others. Needs the site's lock.
create or replace function name_texts(of_site integer, texts text[], first_days date[], last_days date[]) returns void
language sql as $$
  insert into site_texts as known (site_key, id, value, first_day, last_day)
  select of_site, last.id + row_number() over (order by t.value), t.value, t.first_day, t.last_day
  from unnest(texts, first_days, last_days) as t(value, first_day, last_day)
  cross join (
    select greatest(
      (select max(id) from site_texts where site_key = of_site and id > 0),
      (select last_id from value_ids where site_key = of_site and dictionary = 'text'),
      0
    ) as id
  ) last
  on conflict (
    site_key, value
  ) do update set
    first_day = least(known.first_day, excluded.first_day),
    last_day = greatest(known.last_day, excluded.last_day)
  where excluded.first_day < known.first_day or excluded.last_day > known.last_day
$$;

-- Deletes the values of a site that meet a condition; returns how many. Their ids aren't used again. Needs the site's
-- lock.
create or replace function delete_values(of_site integer, of_dictionary text, ids integer[], condition text)
returns integer
language plpgsql set enable_seqscan = off as $$
declare
  deleted integer;
begin
  execute format(
    $query$
      with gone as (
        delete from site_%1$ss where site_key = $1 and id = any ($2) and id > 0 and %2$s returning id
      ),
      settled as (
        delete from erased_values e using gone
        where e.site_key = $1 and e.dictionary = %1$L and e.id = gone.id
      ),
      noted as (
        insert into value_ids as known (site_key, dictionary, last_id)
        select $1, %1$L, max(id) from gone having count(*) > 0
        on conflict (site_key, dictionary) do update set last_id = greatest(known.last_id, excluded.last_id)
      )
      select count(*) from gone
    $query$,
    of_dictionary, condition
  ) into deleted using of_site, ids;
  return deleted;
end
$$;

-- Up to `most` ids of a site's values that nothing from `kept_day` on uses; null if there are none. A text must also
-- be in no entry of the other dictionaries, so unused entries must be deleted first. Scans the site's dictionary, and
-- for texts the others too.
create or replace function expired_values(of_site integer, of_dictionary text, kept_day date, most integer)
returns integer[]
language plpgsql stable set jit = off as $$
declare
  ids integer[];
begin
  if of_dictionary = 'text' then
    return (
      select array_agg(t.id)
      from (
        select value
        from site_texts
        where site_key = of_site and id > 0 and last_day < kept_day
        except
        select value
        from entry_values
        where site_key = of_site
        limit most
      ) unnamed
      join site_texts t on t.site_key = of_site and t.value = unnamed.value
    );
  end if;
  execute format(
    'select array_agg(id) from (select id from site_%ss where site_key = $1 and id > 0 and last_day < $2 limit $3) v',
    of_dictionary
  ) into ids using of_site, kept_day, most;
  return ids;
end
$$;

-- Deletes up to `max_rows` unused values of sites that `expire_visits` is done with. A call takes one dictionary of
-- one site, and finds the values before it locks the site. `sites.values_kept_from` says which sites are done. Does
-- nothing while another call runs.
create or replace function expire_values(max_rows integer, out deleted integer, out finished boolean)
language plpgsql as $$
declare
  site record;
  of_dictionary text;
  ids integer[];
  max_sites constant integer := 1000;
  looked_at integer := 0;
begin
  deleted := 0;
  finished := true;
  if not pg_try_advisory_xact_lock(hashtextextended('expire_values', 0)) then
    return;
  end if;
  for site in
    select key, id, kept_from, (kept_from at time zone 'UTC')::date as kept_day
    from sites
    where kept_from is not null and values_kept_from is distinct from kept_from
    order by key
    limit max_sites
  loop
    looked_at := looked_at + 1;
    foreach of_dictionary in array '{profile,place,origin,text}'::text[] loop
      ids := expired_values(site.key, of_dictionary, site.kept_day, max_rows);
      if ids is not null then
        perform pg_advisory_xact_lock(hashtextextended(site.id::text, 0));
        deleted := delete_values(site.key, of_dictionary, ids, format('last_day < %L', site.kept_day));
        finished := false;
        return;
      end if;
    end loop;
    update sites set values_kept_from = site.kept_from where key = site.key;
  end loop;
  finished := looked_at < max_sites;
end
$$;

-- Asks for a search whether anything that wasn't deleted uses these values of a site. Needs the site's lock.
create or replace function doubt_values(of_site integer, of_dictionary text, ids integer[]) returns void
language plpgsql set enable_seqscan = off as $$
begin
  execute format(
    $query$
      with known as materialized (
        select id, first_day, last_day from site_%1$ss where site_key = $1 and id = any ($2) and id > 0
      ),
      doubted as (
        update site_%1$ss t set first_day = 'infinity' from known
        where t.site_key = $1 and t.id = known.id and t.id > 0
      )
      insert into erased_values as erased (site_key, dictionary, id, first_day, searched_to, tried_at)
      select $1, %1$L, id, first_day, (last_day + 1)::timestamp at time zone 'UTC', clock_timestamp()
      from known
      on conflict (site_key, dictionary, id) do update set
        first_day = least(erased.first_day, excluded.first_day), searched_to = excluded.searched_to,
        tried_at = excluded.tried_at
    $query$,
    of_dictionary
  ) using of_site, ids;
end
$$;

-- Ends the search for the values `ids` of a site, which something uses, and for those that came again meanwhile. Needs
-- the site's lock.
create or replace function keep_values(of_site integer, of_dictionary text, ids integer[]) returns void
language plpgsql set enable_seqscan = off as $$
begin
  execute format(
    $query$
      with kept as (
        update site_%1$ss t set first_day = least(t.first_day, e.first_day)
        from erased_values e
        where e.site_key = $1 and e.dictionary = %1$L and t.site_key = $1 and t.id = e.id and t.id > 0
          and (t.first_day < 'infinity' or t.id = any ($2))
        returning t.id
      )
      delete from erased_values e using kept
      where e.site_key = $1 and e.dictionary = %1$L and e.id = kept.id
    $query$,
    of_dictionary
  ) using of_site, ids;
end
$$;

-- The values that visits of a site use, for visits whose quarter of an hour is in [since, before), by
-- `visits_quarters`.
create or replace function named_by_visits(of_site integer, since timestamptz, before timestamptz)
returns table (dictionary text, id integer)
language sql stable set jit = off as $$
  with part as materialized (
    select consent_page, entry_page, later_pages, custom_events, vitals, profile_id, place_id, origin_id
    from visits
    where site_key = of_site
      and profile_id > 0
      and started_at >= since
      and started_at < before
      and quarter_hour(started_at) >= since
      and quarter_hour(started_at) < before
  )
  select 'profile', profile_id
  from part
  union
  select 'place', place_id
  from part
  union
  select 'origin', origin_id
  from part
  union
  select 'text', text_id
  from part cross join lateral texts_of_visit(consent_page, entry_page, later_pages, custom_events, vitals)
$$;

-- Other rows that may use values since an instant: visits of over a day, by `visits_long`, raw events, by
-- `events_time`, and imported days.
create or replace function named_elsewhere(of_site integer, since timestamptz)
returns table (dictionary text, id integer)
language sql stable set jit = off as $$
  with long as materialized (
    select consent_page, entry_page, later_pages, custom_events, vitals, profile_id, place_id, origin_id
    from visits
    where site_key = of_site and duration_ms >= 86400000 and started_at >= since - longest_visit()
  ),
  raw as materialized (
    select distinct path_id, name_id, profile_id, place_id, origin_id
    from events
    where site_key = of_site and kind >= 0 and occurred_at >= since
  )
  select 'profile', profile_id
  from (select profile_id from long union all select profile_id from raw) p
  union
  select 'place', place_id
  from (select place_id from long union all select place_id from raw) p
  union
  select 'origin', origin_id
  from (select origin_id from long union all select origin_id from raw) o
  union
  select 'text', text_id
  from long cross join lateral texts_of_visit(consent_page, entry_page, later_pages, custom_events, vitals)
  union
  select 'text', text_id
  from raw cross join lateral (values (path_id), (name_id)) as t(text_id)
  union
  select 'text', v.id
  from imported_days d
  join rollup_values r on r.site_key = d.site_key and r.bucket = d.day and r.span = 1
  cross join lateral unnest(r.value) as v(id)
  where d.site_key = of_site and d.starts_at >= since - interval '1 day'
$$;

-- Removes pages from a site's sums by page.
create or replace function take_out_pages(of_site integer, pages integer[]) returns void
language plpgsql set enable_seqscan = off set jit = off as $$
begin
  delete from rollup_engagement where site_key = of_site and path_id <@ pages;
  update rollup_engagement e
  set (path_id, measured, engaged_ms, scroll_depth, scrolled_25, scrolled_50, scrolled_75, scrolled_100) = (
    select
      array_agg(s.path_id order by n), array_agg(s.measured order by n), array_agg(s.engaged_ms order by n),
      array_agg(s.scroll_depth order by n), array_agg(s.scrolled_25 order by n), array_agg(s.scrolled_50 order by n),
      array_agg(s.scrolled_75 order by n), array_agg(s.scrolled_100 order by n)
    from unnest(
      e.path_id, e.measured, e.engaged_ms, e.scroll_depth, e.scrolled_25, e.scrolled_50, e.scrolled_75, e.scrolled_100
    ) with ordinality as s(
      path_id, measured, engaged_ms, scroll_depth, scrolled_25, scrolled_50, scrolled_75, scrolled_100, n
    )
    where s.path_id <> all (pages)
  )
  where site_key = of_site and path_id && pages;

  delete from rollup_vitals where site_key = of_site and path_id <@ pages;
  update rollup_vitals v
  set
    (path_id, measured) = (
      select array_agg(s.path_id order by n), array_agg(s.measured order by n)
      from unnest(v.path_id, v.measured) with ordinality as s(path_id, measured, n)
      where s.path_id <> all (pages)
    ),
    (bin_path, bin, told) = (
      select
        coalesce(array_agg(s.path_id order by n), '{}'),
        coalesce(array_agg(s.bin order by n), '{}'),
        coalesce(array_agg(s.times order by n), '{}')
      from unnest(v.bin_path, v.bin, v.told) with ordinality as s(path_id, bin, times, n)
      where s.path_id <> all (pages)
    ),
    (band_path, band, band_first, band_told) = (
      select
        coalesce(array_agg(b.path_id order by n), '{}'),
        coalesce(array_agg(b.band order by n), '{}'),
        coalesce(array_agg((b.first - b.before)::smallint order by n), '{}'),
        coalesce(array_agg(b.times order by n), '{}')
      from (
        select
          s.*,
          -- The number of bins that are removed before the band.
          coalesce(
            sum(next - first) filter (where s.path_id = any (pages)) over (
              order by n rows between unbounded preceding and 1 preceding
            ),
            0
          ) as before
        from (
          select *, lead(first, 1, cardinality(v.bin) + 1) over (order by n) as next
          from unnest(v.band_path, v.band, v.band_first, v.band_told) with ordinality as u(
            path_id, band, first, times, n
          )
        ) s
      ) b
      where b.path_id <> all (pages)
    )
  where site_key = of_site and path_id && pages;
end
$$;

-- The beginning of the quarter of an hour from which a search reads visits: of the latest `max_visits` before
-- `before`, or of all from `since` on, if these are fewer. By visits_quarters.
create or replace function search_since(of_site integer, since timestamptz, before timestamptz, max_visits integer)
returns timestamptz
language plpgsql stable as $$
begin
  return (
    select greatest(since, case when count(*) = max_visits then min(quarter) else '-infinity' end)
    from (
      select quarter_hour(started_at) as quarter
      from visits
      where site_key = of_site and profile_id > 0 and started_at < before and quarter_hour(started_at) < before
      order by quarter_hour(started_at) desc
      limit max_visits
    ) latest
  );
end
$$;

-- The values that something other than a visit uses, from `since` on.
create or replace function named_without_visits(of_site integer, since timestamptz, unnamed erased_values[])
returns erased_values[]
language plpgsql stable as $$
begin
  return (
    select array_agg(s)
    from unnest(unnamed) s
    left join named_elsewhere(of_site, since) n using (dictionary, id)
    left join site_texts t on s.dictionary = 'text' and t.site_key = of_site and t.id = s.id and t.id > 0
    where n.id is not null or t.value in (select value from entry_values where site_key = of_site)
  );
end
$$;

-- The texts that only the given entries use, which are deleted with them.
create or replace function texts_of_entries(of_site integer, unnamed erased_values[]) returns integer[]
language plpgsql stable as $$
begin
  return (
    select array_agg(t.id)
    from (
      select value
      from entry_values join unnest(unnamed) using (site_key, dictionary, id)
      except
      select value
      from entry_values v left join unnest(unnamed) s using (site_key, dictionary, id)
      where v.site_key = of_site and s.id is null
    ) had
    join site_texts t on t.site_key = of_site and t.value = had.value
  );
end
$$;

-- Ends a search: keeps the values that are used, and deletes the others; returns how many. Leaves out values for which
-- another search was asked meanwhile: rows that were deleted since may be those that used them.
create or replace function settle_values(
  of_site integer, searched erased_values[], named erased_values[], unnamed erased_values[], freed integer[],
  since timestamptz, instant timestamptz
)
returns integer
language plpgsql as $$
declare
  of_dictionary text;
  ids integer[];
  deleted integer := 0;
begin
  select array_agg(s)
  into searched
  from unnest(searched) s join erased_values e using (site_key, dictionary, id)
  where e.tried_at = s.tried_at;
  update erased_values e
  set searched_to = least(e.searched_to, since), tried_at = instant
  from unnest(searched) s
  where e.site_key = of_site and e.dictionary = s.dictionary and e.id = s.id;
  perform doubt_values(of_site, 'text', freed);
  foreach of_dictionary in array '{profile,place,origin,text}'::text[] loop
    select array_agg(id)
    into ids
    from unnest(named) n join unnest(searched) s using (dictionary, id)
    where dictionary = of_dictionary;
    perform keep_values(of_site, of_dictionary, ids);
    select array_agg(id)
    into ids
    from unnest(unnamed) u
    join unnest(searched) s using (dictionary, id)
    join erased_values e using (dictionary, id)
    where dictionary = of_dictionary and e.site_key = of_site;
    continue when ids is null;
    if of_dictionary = 'text' then
      perform take_out_pages(of_site, ids);
    end if;
    deleted := deleted + delete_values(of_site, of_dictionary, ids, 'true');
  end loop;
  return deleted;
end
$$;

-- Continues the search of one site: whether anything uses the values of deleted rows. Reads up to `max_rows` more
-- visits and the rest of their quarter of an hour, from the latest to the earliest, because a late event may join two
-- visits into the earlier one. Locks the site when the answer is known; rows that were deleted meanwhile have their
-- values searched again. A page that no visit uses is also removed from the sums by page: only page views beyond the
-- 500 of a visit could still be in them. Texts wait for the entries that use them. Does nothing while another call
-- runs.
create or replace function search_values(
  instant timestamptz, max_visits integer, out deleted integer, out finished boolean
)
language plpgsql as $$
declare
  of_site integer;
  site uuid;
  since timestamptz;
  before timestamptz;
  searched erased_values[];
  named erased_values[];
  unnamed erased_values[];
  unnamed_since timestamptz;
  freed integer[];
begin
  instant := trusted_instant(instant);
  deleted := 0;
  finished := true;
  if not pg_try_advisory_xact_lock(hashtextextended('search_values', 0)) then
    return;
  end if;
  select e.site_key, s.id
  into of_site, site
  from erased_values e join sites s on s.key = e.site_key
  order by e.tried_at
  limit 1;
  if of_site is null then
    return;
  end if;
  finished := false;

  select array_agg(e), max(searched_to), min(first_day - 1)::timestamp at time zone 'UTC'
  into searched, before, since
  from erased_values e
  where site_key = of_site;
  since := search_since(of_site, since, before, max_visits);
  select array_agg(s)
  into named
  from unnest(searched) s join named_by_visits(of_site, since, before) using (dictionary, id);

  -- The values that no visit uses, if all visits that may use them were searched.
  select array_agg(s), min(s.first_day)::timestamp at time zone 'UTC'
  into unnamed, unnamed_since
  from unnest(searched) s left join unnest(named) n using (dictionary, id)
  where n.id is null
    and least(s.searched_to, since) <= (s.first_day - 1)::timestamp at time zone 'UTC'
    and (s.dictionary <> 'text' or not exists (select from unnest(searched) e where e.dictionary <> 'text'));
  if unnamed is not null then
    named := named || named_without_visits(of_site, unnamed_since, unnamed);
    freed := texts_of_entries(of_site, unnamed);
  end if;

  perform pg_advisory_xact_lock(hashtextextended(site::text, 0));
  deleted := settle_values(of_site, searched, named, unnamed, freed, since, instant);
end
$$;
