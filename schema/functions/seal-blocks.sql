-- Which days are sealed when, and the larger blocks that they make up.

-- Makes one block of 7 or 28 days out of the smaller ones in it. False: not all of these are sealed for good, or it is there.
create or replace function merge_block(of_site integer, of_span integer, of_bucket date) returns boolean
language plpgsql set jit = off as $$
declare
  part constant integer := case of_span when 7 then 1 else 7 end;
begin
  perform pg_advisory_xact_lock(hashtextextended('seal ' || of_site, 0));
  if exists (select from sealed_days where site_key = of_site and span = of_span and bucket = of_bucket)
    or of_span / part <> (
      select count(*) from sealed_days d join sites on key = of_site
      where site_key = of_site and span = part and ready and bucket >= of_bucket and bucket < of_bucket + of_span
        and (part > 1 or until = day_start(bucket + 1, timezone)
          and not exists (select from open_visits o where o.site_key = of_site and o.day = d.bucket)))
  then
    return false;
  end if;
  delete from rollup_values where site_key = of_site and span = of_span and bucket = of_bucket;
  with
  parts as materialized (
    select *, bucket - of_bucket as passed
    from rollup_values
    where site_key = of_site and span = part and bucket >= of_bucket and bucket < of_bucket + of_span and dimension < dimension_number('goal')
  ),
  part_gaps as materialized (
    select dimension, g.value, g.tier, g.gap - passed as gap, g.returned, g.resumed
    from parts cross join lateral unnest(gap_value, gap_tier, gap, returned, resumed) as g(value, tier, gap, returned, resumed)
  ),
  columns as (
    select dimension, value, sum(hits_1)::integer as hits_1, sum(hits_2)::integer as hits_2, sum(hits_3)::integer as hits_3,
      sum(visits_1)::integer as visits_1, sum(visits_2)::integer as visits_2, sum(visits_3)::integer as visits_3,
      sum(visitors_2)::integer as visitors_2, sum(visitors_3)::integer as visitors_3
    from (
      select dimension, v.*
      from parts
      cross join lateral unnest(value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2, visitors_3)
        as v(value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2, visitors_3)
      union all
      -- Who returned from within the block is in it already.
      select dimension, value, 0, 0, 0, 0, case tier when 2 then -resumed else 0 end, case tier when 3 then -resumed else 0 end,
        case tier when 2 then -returned else 0 end, case tier when 3 then -returned else 0 end
      from part_gaps where gap <= 0
    ) v
    group by dimension, value
    order by dimension, value
  ),
  gaps as (
    select dimension, array_agg(value) as gap_value, array_agg(tier) as gap_tier, array_agg(gap::smallint) as gap,
      array_agg(returned::integer) as returned, array_agg(resumed::integer) as resumed
    from (
      select dimension, value, tier, gap, sum(returned) as returned, sum(resumed) as resumed
      from part_gaps where gap > 0
      group by dimension, value, tier, gap
      order by dimension, value, tier, gap
    ) g
    group by dimension
  )
  insert into rollup_values (
    site_key, bucket, span, dimension, value, hits_1, hits_2, hits_3, visits_1, visits_2, visits_3, visitors_2, visitors_3,
    gap_value, gap_tier, gap, returned, resumed)
  select of_site, of_bucket, of_span, c.*, gap_value, gap_tier, gap, returned, resumed
  from (
    select dimension, array_agg(value), array_agg(hits_1), array_agg(hits_2), array_agg(hits_3), array_agg(visits_1), array_agg(visits_2),
      array_agg(visits_3), array_agg(visitors_2), array_agg(visitors_3)
    from columns group by dimension
  ) c
  left join gaps using (dimension);
  insert into sealed_days (site_key, span, bucket, until, ready)
  select of_site, of_span, of_bucket, day_start(of_bucket + of_span, timezone), true from sites where key = of_site;
  return true;
end
$$;

-- Days that are to be sealed now, the oldest of each site first, `most` in all: those that ended 40 minutes ago or earlier and
-- aren't sealed, or were with visits open that have closed since; and today, once 5,000 visits have come since it was sealed last.
create or replace function days_to_seal(instant timestamptz, most integer) returns table (site_key integer, day date)
language sql stable set jit = off as $$
  select f.site_key, d.day
  from site_freshness f
  join sites on sites.key = f.site_key
  left join site_seals done on done.site_key = f.site_key
  cross join lateral (
    select (instant at time zone timezone)::date as today, (f.last_event_at at time zone timezone)::date as last_day
  ) t
  cross join lateral (
    select day::date from generate_series(coalesce(done.sealed_to, (f.first_event_at at time zone timezone)::date)::timestamp, least(today, last_day), '1 day') as day
  ) d
  left join sealed_days s on s.site_key = f.site_key and s.span = 1 and s.bucket = d.day and s.ready
  where not exists (select from imported_days i where i.site_key = f.site_key and i.day = d.day) and case
    when d.day < today and day_start(d.day + 1, timezone) <= instant - interval '40 minutes' then
      s.until is null or s.until < day_start(d.day + 1, timezone)
      or exists (
        select from open_visits o
        left join visits v on v.site_key = o.site_key and uuid_hash(v.visitor_id) = uuid_hash(o.visitor_id) and v.visitor_id = o.visitor_id
          and v.tier = o.tier and v.started_at = o.started_at
        where o.site_key = f.site_key and o.day = d.day
          and (v.started_at is null or visit_time(v.started_at, v.duration_ms) < instant - interval '35 minutes'))
    when d.day = today then
      5000 <= (
        select count(*) from (
          select from visits v
          where v.site_key = f.site_key and v.profile_id > 0
            and v.started_at >= coalesce(s.until, day_start(d.day, timezone)) and v.started_at < instant - interval '35 minutes'
            and quarter_hour(v.started_at) >= quarter_hour(coalesce(s.until, day_start(d.day, timezone)))
            and quarter_hour(v.started_at) < instant - interval '35 minutes'
          limit 5000
        ) recent)
  end
  order by f.site_key, d.day
  limit most
$$;

-- Notes up to which day a site is sealed without a gap and for good, so that the next search begins there.
create or replace function note_sealed(of_site integer, instant timestamptz) returns void
language sql as $$
  update site_seals done set sealed_to = coalesce((
    select min(d.day)::date
    from sites
    join site_freshness f on f.site_key = sites.key
    cross join lateral generate_series(
      coalesce(done.sealed_to, (f.first_event_at at time zone timezone)::date)::timestamp, (instant at time zone timezone)::date, '1 day') as d(day)
    left join sealed_days s on s.site_key = of_site and s.span = 1 and s.bucket = d.day::date and s.ready
    where key = of_site and (s.until is null or s.until < day_start(d.day::date + 1, timezone)
      or exists (select from open_visits o where o.site_key = of_site and o.day = d.day::date))
  ), done.sealed_to)
  where done.site_key = of_site
$$;

-- Seals what is to be sealed, in one transaction, and says how many days: for a database that nobody else writes to.
create or replace function seal_days(instant timestamptz) returns integer
language plpgsql as $$
declare
  due record;
  sealed integer := 0;
begin
  for due in select * from days_to_seal(instant, 100000) loop
    if begin_seal(due.site_key, due.day, instant) and end_seal(due.site_key, due.day) then
      sealed := sealed + 1;
    end if;
  end loop;
  return sealed;
end
$$;
