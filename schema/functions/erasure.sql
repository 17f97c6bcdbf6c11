-- What is deleted because somebody asks for it.

-- Deletes a tier 3 visitor: raw events, visits, undelivered messages, and their part of the rollups, which are then
-- as if the visitor had never come; but attention and vitals whose raw events are gone stay in the sums by page,
-- which nobody can be told from any more. Refusals stay, since they say of nobody. Of the values that it named a
-- search finds out whether anything else names them (`search_values`). What is still on its way comes after it and
-- begins anew. Nothing known of the visitor: nothing happens. Its visits are found by `visits_by_visitor`, its events
-- by `events_time` within these.
create or replace function delete_visitor(site uuid, visitor uuid) returns void
language plpgsql as $$
declare
  erased_key integer;
  zone text;
  first_at timestamptz;
  last_at timestamptz;
  measured_at timestamptz[];
  named jsonb;
  of_dictionary text;
begin
  perform pg_advisory_xact_lock(hashtextextended(site::text, 0));
  select key, timezone into erased_key, zone from sites where id = site;
  delete from dead_letters where site_id = site and strpos(lower(message), visitor::text) > 0;
  delete from associations where site_key = erased_key and visitor_id = visitor;

  with erased as materialized (
    delete from visits
    where site_key = erased_key and tier = 3 and visitor_id = visitor
    returning *, visit_time(started_at, duration_ms) as ended_at
  ),
  raw as (
    delete from events e using erased v
    where e.site_key = erased_key
      and e.kind > 0
      and e.tier = 3
      and e.visitor_id = visitor
      and e.occurred_at >= v.started_at
      and e.occurred_at <= v.ended_at
    returning e.occurred_at, e.kind, e.path_id, e.name_id, e.profile_id, e.place_id, e.origin_id
  ),
  named_values as (
    select distinct n.dictionary, n.id
    from (
      select d.*
      from raw
      cross join lateral (
        values
          ('text', path_id), ('text', name_id), ('profile', profile_id), ('place', place_id), ('origin', origin_id)
      ) as d(dictionary, id)
      union all
      select d.*
      from erased cross join lateral (values ('profile', profile_id), ('place', place_id), ('origin', origin_id)) as d
      union all
      select 'text', text_id
      from erased cross join lateral texts_of_visit(consent_page, entry_page, later_pages, custom_events)
    ) n
  ),
  -- A visit keeps 500 page views and the rollup counts them all. While raw events are there, by UTC days, they know
  -- the rest.
  views as (
    select
      local_hour(at, zone) as hour,
      greatest(count(*) filter (where kept), count(*) filter (where not kept)) as pageviews
    from (
      select true as kept, visit_time(started_at, entry_ms) as at
      from erased
      where entry_page is not null
      union all
      select true, started_at + page.ms * interval '1 millisecond'
      from erased cross join hits_of(later_pages) as page
      union all
      select false, occurred_at
      from raw
      where kind = 1
    ) shown
    group by local_hour(at, zone), date_trunc('day', at, 'UTC')
  ),
  hours as materialized (
    select
      hour, sum(pageviews) as pageviews, sum(visits) as visits, sum(bounces) as bounces,
      sum(duration_ms) as duration_ms
    from (
      select hour, pageviews, 0 as visits, 0 as bounces, 0 as duration_ms
      from views
      union all
      select
        local_hour(started_at, zone), 0, 1,
        case when is_bounce(later_pages, custom_events, event_data) then 1 else 0 end,
        coalesce(duration_ms, 0)
      from erased
      where counted
    ) d
    group by hour
  ),
  emptied_hours as (
    delete from rollup_hours r using hours h
    where r.site_key = erased_key
      and r.tier = 3
      and r.hour = h.hour
      and (r.pageviews, r.visits, r.duration_ms) = (h.pageviews, h.visits, h.duration_ms)
  ),
  lessened_hours as (
    update rollup_hours r
    set
      pageviews = r.pageviews - h.pageviews, visits = r.visits - h.visits, measured = r.measured - h.visits,
      bounces = r.bounces - h.bounces,
      duration_ms = r.duration_ms - h.duration_ms
    from hours h
    where r.site_key = erased_key
      and r.tier = 3
      and r.hour = h.hour
      and (r.pageviews, r.visits, r.duration_ms) <> (h.pageviews, h.visits, h.duration_ms)
  ),
  buckets as (
    select unit, bucket, lag(bucket) over by_unit as previous, lag(last_start) over by_unit as last_start
    from (
      select b.unit, b.bucket, max(v.started_at) as last_start
      from erased v
      cross join lateral (
        values ('hour', local_hour(v.started_at, zone)), ('day', local_day(v.started_at, zone))
      ) as b(unit, bucket)
      where is_seen(v.counted, v.continued, v.entry_page, v.custom_events, v.consent_page)
      group by b.unit, b.bucket
    ) b
    window by_unit as (partition by unit order by bucket)
  ),
  seen as materialized (
    select
      unit, bucket,
      case
        when previous is null
          or last_start < bucket - interval '400 days'
          or (unit = 'hour' and previous < bucket - interval '48 hours') then '-infinity'
        else previous
      end as previous
    from buckets
  ),
  -- The days that had a part of it are summed up again by and by; until then reports look into their visits.
  touched as materialized (
    select distinct of_span as span, block_start(day::date, of_span) as bucket
    from erased
    cross join lateral generate_series(
      (started_at at time zone zone)::date::timestamp,
      (ended_at at time zone zone)::date::timestamp,
      '1 day'
    ) as day
    cross join (values (1), (7), (28)) as spans(of_span)
  ),
  unsealed as (
    delete from sealed_days s using touched t
    where s.site_key = erased_key and s.span = t.span and s.bucket = t.bucket
  ),
  emptied_values as (
    delete from rollup_values r using touched t
    where r.site_key = erased_key and r.span = t.span and r.bucket = t.bucket
  ),
  emptied_revenue as (
    delete from rollup_revenue r using touched t
    where r.site_key = erased_key and t.span = 1 and r.bucket = t.bucket
  ),
  emptied_journeys as (
    delete from rollup_journeys r using touched t
    where r.site_key = erased_key and t.span = 1 and r.bucket = t.bucket
  ),
  emptied_props as (
    delete from rollup_props r using touched t
    where r.site_key = erased_key and t.span = 1 and r.bucket = t.bucket
  ),
  closed as (delete from open_visits where site_key = erased_key and tier = 3 and visitor_id = visitor),
  sealed_less as (
    update site_seals s
    set sealed_to = least(s.sealed_to, (select min(bucket) from touched where span = 1))
    where s.site_key = erased_key
  ),
  emptied_visitors as (
    delete from rollup_visitors r using seen s
    where r.site_key = erased_key
      and r.unit = s.unit
      and r.bucket = s.bucket
      and r.tier = 3
      and r.previous = s.previous
      and r.visitors = 1
  ),
  lessened_visitors as (
    update rollup_visitors r
    set visitors = r.visitors - 1
    from seen s
    where r.site_key = erased_key
      and r.unit = s.unit
      and r.bucket = s.bucket
      and r.tier = 3
      and r.previous = s.previous
      and r.visitors <> 1
  )
  select
    min(started_at), max(ended_at),
    (select array_agg(distinct date_trunc('hour', raw.occurred_at)) from raw where raw.kind in (1, 3, 4)),
    (
      select jsonb_object_agg(dictionary, ids)
      from (select n.dictionary, jsonb_agg(n.id) as ids from named_values n group by n.dictionary) d
    )
  into first_at, last_at, measured_at, named
  from erased;
  perform reopen_measures(erased_key, hour, hour + interval '1 hour') from unnest(measured_at) as hour;

  if last_at is null then
    return;
  end if;
  for of_dictionary in select jsonb_object_keys(named) loop
    perform doubt_values(
      erased_key, of_dictionary,
      array(select id::integer from jsonb_array_elements_text(named -> of_dictionary) as id)
    );
  end loop;
  delete from site_freshness f
  where f.site_key = erased_key
    and not exists (select from visits v where v.site_key = erased_key and v.profile_id > 0);
  update site_freshness f
  set
    first_event_at = case
      when f.first_event_at < first_at then f.first_event_at
      else (
        select min(v.started_at)
        from visits v
        where v.site_key = erased_key
          and v.profile_id > 0
          and quarter_hour(v.started_at) = (
            select min(quarter_hour(w.started_at))
            from visits w
            where w.site_key = erased_key and w.profile_id > 0
          )
      )
    end,
    last_event_at = case
      when f.last_event_at > last_at then f.last_event_at
      else coalesce(
        (select max(e.occurred_at) from events e where e.site_key = erased_key and e.kind > 0),
        (
          select max(visit_time(v.started_at, v.duration_ms))
          from visits v
          where v.site_key = erased_key and v.profile_id > 0
        )
      )
    end
  where f.site_key = erased_key and (f.first_event_at >= first_at or f.last_event_at <= last_at);
end
$$;
