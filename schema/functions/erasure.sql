-- Deletion of a visitor on request.

-- Deletes the raw events of a visitor's visits, by `events_time`. Returns the times of the page views, the hours with
-- measures, and the values that the events named, as {dictionary: [id]}.
create or replace function erase_events(
  erased_site integer, visitor uuid, erased visits[], out viewed_at timestamptz[], out measured_at timestamptz[],
  out named jsonb
)
language plpgsql as $$
begin
  with raw as (
    delete from events e using unnest(erased) v
    where e.site_key = erased_site
      and e.kind > 0
      and e.tier = 3
      and e.visitor_id = visitor
      and e.occurred_at >= v.started_at
      and e.occurred_at <= visit_time(v.started_at, v.duration_ms)
    returning e.occurred_at, e.kind, e.path_id, e.name_id, e.profile_id, e.place_id, e.origin_id
  )
  select
    array_agg(occurred_at) filter (where kind = 1),
    array_agg(distinct date_trunc('hour', occurred_at)) filter (where kind in (1, 3, 4)),
    (
      select jsonb_object_agg(dictionary, ids)
      from (
        select d.dictionary, jsonb_agg(distinct d.id) as ids
        from raw
        cross join lateral (
          values
            ('text', path_id), ('text', name_id), ('profile', profile_id), ('place', place_id), ('origin', origin_id)
        ) as d(dictionary, id)
        group by d.dictionary
      ) named_values
    )
  into viewed_at, measured_at, named
  from raw;
end
$$;

-- Notes the values that erased visits or their events (`named`) used. search_values finds out whether anything else
-- uses them.
create or replace function doubt_values_of(erased_site integer, erased visits[], named jsonb) returns void
language plpgsql as $$
declare
  doubted record;
begin
  for doubted in
    select dictionary, array_agg(distinct id) as ids
    from (
      select d.dictionary, d.id
      from unnest(erased)
      cross join lateral (values ('profile', profile_id), ('place', place_id), ('origin', origin_id)) as d(
        dictionary, id
      )
      union all
      select 'text', text_id
      from unnest(erased) cross join lateral texts_of_visit(
        consent_page, entry_page, later_pages, custom_events, vitals
      )
      union all
      select dictionary, id::integer
      from jsonb_each(named) as of_raw(dictionary, listed) cross join lateral jsonb_array_elements_text(listed) as id
    ) d
    group by dictionary
    order by dictionary
  loop
    perform doubt_values(erased_site, doubted.dictionary, doubted.ids);
  end loop;
end
$$;

-- Subtracts erased visits from the sums of hours. A visit keeps its first 500 page views, but the sums count all of
-- them; the others come from raw events (`viewed_at`), for the UTC days that still have raw events.
create or replace function lessen_hours(erased_site integer, zone text, erased visits[], viewed_at timestamptz[])
returns void
language plpgsql as $$
begin
  with views as (
    select
      local_hour(at, zone) as hour,
      greatest(count(*) filter (where kept), count(*) filter (where not kept)) as pageviews
    from (
      select true as kept, visit_time(started_at, entry_ms) as at
      from unnest(erased)
      where entry_page is not null
      union all
      select true, started_at + page.ms * interval '1 millisecond'
      from unnest(erased) cross join hits_of(later_pages) as page
      union all
      select false, at
      from unnest(viewed_at) as at
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
      from unnest(erased)
      where counted
    ) d
    group by hour
  ),
  emptied_hours as (
    delete from rollup_hours r using hours h
    where r.site_key = erased_site
      and r.tier = 3
      and r.hour = h.hour
      and (r.pageviews, r.visits, r.duration_ms) = (h.pageviews, h.visits, h.duration_ms)
  )
  update rollup_hours r
  set
    pageviews = r.pageviews - h.pageviews, visits = r.visits - h.visits, measured = r.measured - h.visits,
    bounces = r.bounces - h.bounces,
    duration_ms = r.duration_ms - h.duration_ms
  from hours h
  where r.site_key = erased_site
    and r.tier = 3
    and r.hour = h.hour
    and (r.pageviews, r.visits, r.duration_ms) <> (h.pageviews, h.visits, h.duration_ms);
end
$$;

-- Subtracts the visitor of erased visits from the visitors of hours and days.
create or replace function lessen_visitors(erased_site integer, zone text, erased visits[]) returns void
language plpgsql as $$
begin
  with buckets as (
    select unit, bucket, lag(bucket) over by_unit as previous, lag(last_start) over by_unit as last_start
    from (
      select b.unit, b.bucket, max(v.started_at) as last_start
      from unnest(erased) v
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
  emptied_visitors as (
    delete from rollup_visitors r using seen s
    where r.site_key = erased_site
      and r.unit = s.unit
      and r.bucket = s.bucket
      and r.tier = 3
      and r.previous = s.previous
      and r.visitors = 1
  )
  update rollup_visitors r
  set visitors = r.visitors - 1
  from seen s
  where r.site_key = erased_site
    and r.unit = s.unit
    and r.bucket = s.bucket
    and r.tier = 3
    and r.previous = s.previous
    and r.visitors <> 1;
end
$$;

-- Deletes the sums of sealed days that contain erased visits. The days are sealed again later; until then reports read
-- their visits.
create or replace function unseal_days(erased_site integer, zone text, erased visits[]) returns void
language plpgsql as $$
begin
  with touched as materialized (
    select distinct of_span as span, block_start(day::date, of_span) as bucket
    from unnest(erased)
    cross join lateral generate_series(
      (started_at at time zone zone)::date::timestamp,
      (visit_time(started_at, duration_ms) at time zone zone)::date::timestamp,
      '1 day'
    ) as day
    cross join (values (1), (7), (28)) as spans(of_span)
  ),
  unsealed as (
    delete from sealed_days s using touched t
    where s.site_key = erased_site and s.span = t.span and s.bucket = t.bucket
  ),
  emptied_values as (
    delete from rollup_values r using touched t
    where r.site_key = erased_site and r.span = t.span and r.bucket = t.bucket
  ),
  unsummed as (
    delete from filter_seals s using touched t
    where s.site_key = erased_site and s.span = t.span and s.bucket = t.bucket
  ),
  emptied_filters as (
    delete from filter_values r using touched t
    where r.site_key = erased_site and r.span = t.span and r.bucket = t.bucket
  ),
  emptied_revenue as (
    delete from rollup_revenue r using touched t
    where r.site_key = erased_site and t.span = 1 and r.bucket = t.bucket
  ),
  emptied_journeys as (
    delete from rollup_journeys r using touched t
    where r.site_key = erased_site and t.span = 1 and r.bucket = t.bucket
  ),
  emptied_props as (
    delete from rollup_props r using touched t
    where r.site_key = erased_site and t.span = 1 and r.bucket = t.bucket
  )
  update site_seals s
  set sealed_to = least(s.sealed_to, (select min(bucket) from touched where span = 1))
  where s.site_key = erased_site;
end
$$;

-- When the first visit of a site began, or its first one with vitals. Uses `visits_quarters`.
create or replace function first_start(of_site integer, with_vitals boolean) returns timestamptz
language sql stable as $$
  select min(v.started_at)
  from visits v
  where v.site_key = of_site
    and v.profile_id > 0
    and (v.vitals is not null or not with_vitals)
    and quarter_hour(v.started_at) = (
      select min(quarter_hour(w.started_at))
      from visits w
      where w.site_key = of_site and w.profile_id > 0 and (w.vitals is not null or not with_vitals)
    )
$$;

-- Corrects the times of a site's first and last event, and of its first visit with vitals, in case these belonged to
-- erased visits from `first_at` to `last_at`. Uses the indexes of visits and events that begin with the site.
create or replace function lessen_freshness(erased_site integer, first_at timestamptz, last_at timestamptz)
returns void
language plpgsql as $$
begin
  delete from site_freshness f
  where f.site_key = erased_site
    and not exists (select from visits v where v.site_key = erased_site and v.profile_id > 0);
  update site_freshness f
  set
    first_event_at = case
      when f.first_event_at < first_at then f.first_event_at
      else first_start(erased_site, false)
    end,
    vitals_from = case
      when f.vitals_from < first_at then f.vitals_from
      else first_start(erased_site, true)
    end,
    last_event_at = case
      when f.last_event_at > last_at then f.last_event_at
      else coalesce(
        (select max(e.occurred_at) from events e where e.site_key = erased_site and e.kind > 0),
        (
          select max(visit_time(v.started_at, v.duration_ms))
          from visits v
          where v.site_key = erased_site and v.profile_id > 0
        )
      )
    end
  where f.site_key = erased_site
    and (f.first_event_at >= first_at or f.vitals_from >= first_at or f.last_event_at <= last_at);
end
$$;

-- Takes the names out of alerts that looked at a time in which the visitor came: what changed most in the history, and
-- in messages. An alert looks back two days at most. Uses `alert_rules_site` and `outbox_about`.
create or replace function forget_movers(site uuid, erased visits[]) returns void
language plpgsql as $$
begin
  update alert_changes change
  set movers = null
  from alert_rules rule
  where rule.site_id = site
    and change.project_id = rule.project_id
    and change.alert_id = rule.id
    and change.movers is not null
    and exists (
      select
      from unnest(erased) visit
      where change.at >= visit.started_at and change.at <= visit.started_at + interval '2 days'
    );
  update outbox
  set payload = payload - 'changed'
  where about = site
    and payload ? 'changed'
    and exists (
      select
      from unnest(erased) visit
      where decided_at >= visit.started_at and decided_at <= visit.started_at + interval '3 days'
    );
end
$$;

-- Deletes a tier 3 visitor: raw events, visits, undelivered messages, and its part of the rollups, which then look as
-- if the visitor had never come. Two kinds of sums stay, because they identify nobody: refusals, and attention and
-- vitals by page whose raw events are deleted already. Events that arrive later begin a new visitor. Does nothing for
-- an unknown visitor. Finds the visits by `visits_by_visitor`.
create or replace function delete_visitor(site uuid, visitor uuid) returns void
language plpgsql as $$
declare
  erased_site integer;
  zone text;
  erased visits[];
  raw record;
begin
  perform pg_advisory_xact_lock(hashtextextended(site::text, 0));
  select key, timezone into erased_site, zone from sites where id = site;
  delete from dead_letters where site_id = site and strpos(lower(message), visitor::text) > 0;
  delete from associations where site_key = erased_site and visitor_id = visitor;
  delete from open_visits where site_key = erased_site and tier = 3 and visitor_id = visitor;
  with gone as (
    delete from visits as visit
    where site_key = erased_site and tier = 3 and visitor_id = visitor
    returning visit
  )
  select array_agg(visit)
  into erased
  from gone;
  if erased is null then
    return;
  end if;
  select * into raw from erase_events(erased_site, visitor, erased);
  perform lessen_hours(erased_site, zone, erased, raw.viewed_at);
  perform lessen_minutes(erased_site, erased);
  perform forget_movers(site, erased);
  perform unseal_days(erased_site, zone, erased);
  perform lessen_visitors(erased_site, zone, erased);
  perform reopen_measures(erased_site, hour, hour + interval '1 hour') from unnest(raw.measured_at) as hour;
  perform doubt_values_of(erased_site, erased, raw.named);
  perform lessen_freshness(erased_site, min(started_at), max(visit_time(started_at, duration_ms))) from unnest(erased);
end
$$;
