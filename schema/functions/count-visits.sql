-- How the fold counts page views, visits and visitors by hours and days.

-- Counts page views where they happened, and visits where they began.
create or replace function count_hours(fresh events[], taken visits[], merged visits[]) returns void
language plpgsql as $$
begin
  insert into rollup_hours (site_key, hour, tier, pageviews, visits, measured, bounces, duration_ms)
  select
    site_key, local_hour(at, timezone), tier, sum(pageviews), sum(visits), sum(measured), sum(bounces),
    sum(duration_ms)
  from (
    select
      site_key, occurred_at as at, tier, 1 as pageviews, 0 as visits, 0 as measured, 0 as bounces, 0 as duration_ms
    from unnest(fresh)
    where kind = 1
    union all
    select
      site_key, started_at, tier, 0, sign, case when tier = 3 then sign else 0 end,
      case when tier = 3 and is_bounce(later_pages, custom_events, event_data) then sign else 0 end,
      case when tier = 3 then sign * coalesce(duration_ms, 0) else 0 end
    from (select -1 as sign, * from unnest(taken) union all select 1, * from unnest(merged)) v
    where counted
  ) change
  join sites on sites.key = change.site_key
  group by 1, 2, 3
  having sum(pageviews) <> 0 or sum(visits) <> 0 or sum(bounces) <> 0 or sum(duration_ms) <> 0
  order by 1, 2, 3
  on conflict (
    site_key, hour, tier
  ) do update set
    pageviews = rollup_hours.pageviews + excluded.pageviews,
    visits = rollup_hours.visits + excluded.visits,
    measured = rollup_hours.measured + excluded.measured,
    bounces = rollup_hours.bounces + excluded.bounces,
    duration_ms = rollup_hours.duration_ms + excluded.duration_ms;
end
$$;

-- Visitors with a visit that begins where none began before, or with none where one began before. `first_start` and
-- `last_start` are the first and the last such instant.
create or replace function moved_visitors(taken visits[], merged visits[])
returns table (site_key integer, tier smallint, visitor_id uuid, first_start timestamptz, last_start timestamptz)
language sql stable as $$
  select site_key, tier, visitor_id, min(started_at), max(started_at)
  from (
    select site_key, tier, visitor_id, started_at
    from (select -1 as sign, * from unnest(taken) union all select 1, * from unnest(merged)) v
    where visitor_id is not null and is_seen(counted, continued, entry_page, custom_events, consent_page)
    group by site_key, tier, visitor_id, started_at
    having sum(sign) <> 0
  ) start
  group by site_key, tier, visitor_id
$$;

-- The other visits of moved visitors: all in the whole days around the change, the last before and the first after.
-- Without their hits: only whether there were custom events.
create or replace function other_visits(taken visits[], merged visits[]) returns visits[]
language plpgsql as $$
begin
  return array(
    with moved as materialized (
      select
        m.site_key, m.tier, m.visitor_id,
        local_day(m.first_start, timezone) as from_day,
        local_day(local_day(m.last_start, timezone) + interval '36 hours', timezone) as to_day
      from moved_visitors(taken, merged) m join sites on sites.key = m.site_key
    ),
    known as materialized (select site_key, tier, visitor_id, started_at from unnest(taken))
    select visit_row(
      started_at => o.started_at, visitor_id => o.visitor_id, site_key => o.site_key, duration_ms => o.duration_ms,
      engaged_ms => o.engaged_ms, entry_ms => o.entry_ms, entry_page => o.entry_page, profile_id => o.profile_id,
      place_id => o.place_id, origin_id => o.origin_id, tier => o.tier, continued => o.continued,
      counted => o.counted, newcomer => o.newcomer,
      custom_events => case when o.custom_events is not null then '{}'::integer[] end,
      consent_page => o.consent_page
    )
    from moved m
    cross join lateral (
      select *
      from (
        select v.*, min(v.started_at) filter (where v.started_at >= m.to_day) over () as next_at
        from visits v
        where v.site_key = m.site_key
          and v.visitor_id = m.visitor_id
          and v.tier = m.tier
          and v.started_at >= m.from_day
          and is_seen(v.counted, v.continued, v.entry_page, v.custom_events, v.consent_page)
          and (v.site_key, v.tier, v.visitor_id, v.started_at) not in (select * from known)
      ) since
      where started_at < m.to_day or started_at = next_at
      union all
      (
        select v.*, null
        from visits v
        where v.site_key = m.site_key
          and v.visitor_id = m.visitor_id
          and v.tier = m.tier
          and v.started_at < m.from_day
          and v.started_at >= m.from_day - case m.tier when 2 then interval '2 days' else interval '400 days' end
          and is_seen(v.counted, v.continued, v.entry_page, v.custom_events, v.consent_page)
          and (v.site_key, v.tier, v.visitor_id, v.started_at) not in (select * from known)
        order by v.started_at desc
        limit 1
      )
    ) o
  );
end
$$;

-- Counts moved visitors by the hours and days in which their visits begin, each with the hour or day before it.
create or replace function count_visitors(taken visits[], merged visits[], others visits[]) returns void
language plpgsql as $$
begin
  insert into rollup_visitors (site_key, unit, bucket, tier, previous, visitors)
  select site_key, unit, bucket, tier, known_previous, sum(sign)
  from (
    select
      *,
      case
        when previous is null or (unit = 'hour' and previous < bucket - interval '48 hours') then '-infinity'
        else previous
      end as known_previous
    from (
      select *, lag(bucket) over (partition by site_key, tier, visitor_id, sign, unit order by bucket) as previous
      from (
        select distinct v.site_key, v.tier, v.visitor_id, v.sign, b.unit, b.bucket
        from (select -1 as sign, * from unnest(taken || others) union all select 1, * from unnest(merged || others)) v
        join moved_visitors(taken, merged) using (site_key, tier, visitor_id)
        join sites on sites.key = v.site_key
        cross join lateral (
          values ('hour', local_hour(v.started_at, sites.timezone)), ('day', local_day(v.started_at, sites.timezone))
        ) as b(unit, bucket)
        where is_seen(v.counted, v.continued, v.entry_page, v.custom_events, v.consent_page)
      ) distinct_buckets
    ) with_previous
  ) change
  group by site_key, unit, bucket, tier, known_previous
  having sum(sign) <> 0
  order by site_key, unit, bucket, tier, known_previous
  on conflict (
    site_key, unit, bucket, tier, previous
  ) do update set visitors = rollup_visitors.visitors + excluded.visitors;
end
$$;

-- A visitor's first visit is marked as newcomer. Removes the mark where a merged visit begins before.
create or replace function unmark_newcomers(merged visits[], others visits[]) returns void
language plpgsql as $$
begin
  update visits v
  set newcomer = null
  from unnest(others) other
  where other.newcomer
    and v.site_key = other.site_key
    and v.visitor_id = other.visitor_id
    and v.tier = other.tier
    and v.started_at = other.started_at
    and exists (
      select
      from unnest(merged) m
      where m.site_key = other.site_key
        and m.tier = other.tier
        and m.visitor_id = other.visitor_id
        and m.started_at < other.started_at
        and is_seen(m.counted, m.continued, m.entry_page, m.custom_events, m.consent_page)
    );
end
$$;

-- The merged visits, with the first visit of each moved visitor marked as newcomer.
create or replace function mark_newcomers(taken visits[], merged visits[], others visits[]) returns visits[]
language plpgsql as $$
begin
  return array(
    select visit_row(
      started_at => started_at, visitor_id => visitor_id, site_key => site_key, duration_ms => duration_ms,
      engaged_ms => engaged_ms, entry_ms => entry_ms, entry_page => entry_page, profile_id => profile_id,
      place_id => place_id, origin_id => origin_id, tier => tier, continued => continued, counted => counted,
      newcomer => case when seen and started_at >= first_start then nullif(is_first, false) else newcomer end,
      later_pages => later_pages, custom_events => custom_events, event_data => event_data, page_data => page_data,
      consent_page => consent_page, vitals => vitals
    )
    from (
      select *, count(*) filter (where seen) over before = 0 as is_first
      from (
        select true as is_merged, *, is_seen(counted, continued, entry_page, custom_events, consent_page) as seen
        from unnest(merged)
        union all
        select false, *, true
        from unnest(others)
      ) v
      window before as (
        partition by site_key, tier, visitor_id
        order by started_at rows between unbounded preceding and 1 preceding
      )
    ) v
    left join moved_visitors(taken, merged) using (site_key, tier, visitor_id)
    where is_merged
  );
end
$$;
