-- The part of a seal that journeys need.

-- The first 5 pages of a visit, ids of site_texts with spaces between; one that is shown again at once is not
-- repeated.
create or replace function journey_of(entry_page integer, later_pages integer[]) returns text
language sql immutable parallel safe as $$
  select case
    when later_pages is null then entry_page::text
    when cardinality(
      later_pages
    ) = 2 then entry_page::text || case when later_pages[2] <> entry_page then ' ' || later_pages[2]::text else '' end
    else (
      select string_agg(page::text, ' ' order by n)
      from (
        select flat[n] as page, n
        from (select array[0, entry_page] || later_pages as flat) p, generate_series(2, cardinality(flat), 2) n
        where n = 2 or flat[n] <> flat[n - 2]
        order by n
        limit 5
      ) steps
    )
  end
$$;

-- The same of a visit that may begin on the page of consent.
create or replace function journey_of(consent_page integer, entry_page integer, later_pages integer[]) returns text
language sql immutable parallel safe as $$
  select case
    when consent_page is null then journey_of(entry_page, later_pages)
    when entry_page is null then consent_page::text
    else journey_of(consent_page, array[0, entry_page] || later_pages)
  end
$$;

-- The journeys of the visits that began in a day, by tier, and their visitors, by how many days before they took the
-- same path last. Scans the visits once, and asks `visits_by_visitor` for each visitor who isn't new.
create or replace function journeys_of_seal(
  of_site integer, of_day date, zone text, start_at timestamptz, until_at timestamptz
)
returns table (path text, tier smallint, gap smallint, journeys integer, visits integer, visitors integer)
language sql stable as $$
  with begun as materialized (
    select
      tier, visitor_id, coalesce(newcomer, false) as is_new, counted,
      coalesce(consent_page, entry_page) as first_page,
      journey_of(consent_page, entry_page, later_pages) as path
    from closed_visits(of_site, of_day, start_at, until_at)
    where started_at >= start_at
      and quarter_hour(started_at) >= start_at
      and quarter_hour(started_at) < until_at
      and tier > 1
      and coalesce(consent_page, entry_page) is not null
  ),
  visitors as (
    select who.path, who.tier, (of_day - (earlier.last_at at time zone zone)::date)::smallint as gap
    from (
      select tier, visitor_id, path, first_page, bool_or(is_new) as is_new
      from begun
      group by tier, visitor_id, path, first_page
    ) who
    cross join lateral (
      select max(e.started_at) as last_at
      from earlier_visits(of_site, who.tier, who.visitor_id, start_at) e
      where not who.is_new
        and coalesce(e.consent_page, e.entry_page) = who.first_page
        and journey_of(e.consent_page, e.entry_page, e.later_pages) = who.path
    ) earlier
  )
  select path, tier, null, count(*)::integer, (count(*) filter (where counted))::integer, 0
  from begun
  group by path, tier
  union all
  select path, tier, gap, 0, 0, count(*)::integer
  from visitors
  group by path, tier, gap
$$;

-- Writes the journeys of a day. `head` of the frequent ones are a row of their own (part 0).
create or replace function write_journeys(
  of_site integer, of_day date, zone text, start_at timestamptz, until_at timestamptz, head integer
)
returns void
language plpgsql as $$
begin
  with sums as materialized (select * from journeys_of_seal(of_site, of_day, zone, start_at, until_at)),
  ranked as materialized (
    select
      *,
      (
        journeys_2 + journeys_3 = 1
          or row_number() over (order by journeys_2 + journeys_3 desc, path collate "C") > head
      )::integer as part
    from (
      select
        path,
        coalesce(sum(journeys) filter (where tier = 2), 0)::integer as journeys_2,
        coalesce(sum(journeys) filter (where tier = 3), 0)::integer as journeys_3,
        coalesce(sum(visits) filter (where tier = 2), 0)::integer as visits_2,
        coalesce(sum(visits) filter (where tier = 3), 0)::integer as visits_3,
        coalesce(sum(visitors) filter (where tier = 2), 0)::integer as visitors_2,
        coalesce(sum(visitors) filter (where tier = 3), 0)::integer as visitors_3
      from sums
      group by path
    ) counts
  ),
  parts as (
    select
      part, array_agg(path) as path, array_agg(journeys_2) as journeys_2, array_agg(journeys_3) as journeys_3,
      array_agg(visits_2) as visits_2, array_agg(visits_3) as visits_3, array_agg(visitors_2) as visitors_2,
      array_agg(visitors_3) as visitors_3
    from (select * from ranked order by part, path collate "C") r
    group by part
  ),
  gaps as (
    select
      part, array_agg(path) as gap_path, array_agg(tier) as gap_tier, array_agg(gap) as gap,
      array_agg(visitors) as returned
    from (
      select *
      from sums join (select path, part from ranked) r using (path)
      where gap <= seal_memory()
      order by part, path collate "C", tier, gap
    ) g
    group by part
  ),
  most as (
    select array[
      coalesce(max(journeys_2), 0), coalesce(max(journeys_3), 0),
      coalesce(max(journeys_2 + journeys_3), 0)
    ] as most
    from ranked
    where part = 1
  )
  insert into rollup_journeys (
    site_key, bucket, part, path, journeys_2, journeys_3, visits_2, visits_3, visitors_2, visitors_3, gap_path,
    gap_tier, gap, returned, most
  )
  select
    of_site, of_day, part, coalesce(path, '{}'), coalesce(journeys_2, '{}'), coalesce(journeys_3, '{}'),
    coalesce(visits_2, '{}'), coalesce(visits_3, '{}'), coalesce(visitors_2, '{}'), coalesce(visitors_3, '{}'),
    gap_path, gap_tier, gap, returned,
    case part when 1 then '{0,0,0}' else most end
  from parts
  -- The row of the frequent ones says what the others can add up to, also when there are none.
  full join (select 0 as part where exists (select from ranked)) frequent using (part)
  left join gaps using (part)
  cross join most;
end
$$;

-- Writes the journeys of a day that is being sealed.
create or replace function seal_journeys(of_site integer, of_day date, head integer default 500) returns void
language plpgsql set jit = off set plan_cache_mode = force_generic_plan as $$
declare
  day record;
begin
  select * into day from day_of_seal(of_site, of_day);
  delete from rollup_journeys where site_key = of_site and bucket = of_day;
  perform write_journeys(of_site, of_day, day.zone, day.start_at, day.until_at, head);
end
$$;
