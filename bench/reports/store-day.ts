import type { Sql } from '../../lib/db.ts';
import { VITALS_MS } from './planned-messages.ts';

/** Statements for one transaction. */
export type Statements = ReturnType<Sql>[];

/**
 * Statements that store the visits of `bench.plan` as the fold would: a row per visit at tiers 2 and 3; at tier 1 a row per page view and custom
 * event, with its time cut to the minute. They fill the day's `rollup_hours`.
 *
 * @param start epoch milliseconds of the day's start in UTC, which is the site's time zone
 */
export function storeDay(sql: Sql, siteKey: number, start: number): Statements {
  const day = sql`${new Date(start).toISOString()}::timestamptz`;
  return [
    sql`select set_config('jit', 'off', true), set_config('synchronous_commit', 'off', true)`,
    sql`select ensure_partition('visits', ${day})`,
    sql`
    insert into visits (
      started_at, visitor_id, site_key, duration_ms, engaged_ms, entry_ms, entry_page, profile_id, place_id, origin_id,
      tier, continued, counted, newcomer, later_pages, custom_events, event_data, vitals)
    with known as (
      select plan.*, profile_ids.id as profile_id, place_ids.id as place_id, cardinality(pages) / 2 as views,
        nullif(
          row_number() over (partition by visitor_id order by started_at) = 1 and not exists (
            select from visits v
            where v.site_key = ${siteKey}::integer and v.visitor_id = plan.visitor_id),
          false) as newcomer,
        first.id as origin_id, inner_page.id as inner_origin_id, (select count(*) from bench.pages)::integer + act as act_text
      from bench.plan
      join bench.profile_ids using (tier, machine, place)
      join bench.place_ids using (tier, place)
      join bench.origin_ids first using (origin, host)
      join bench.origin_ids inner_page on inner_page.origin = 0 and inner_page.host = plan.host
    ),
    rows as (
      select started_at, visitor_id, nullif(ends_ms, 0) as duration_ms, case tier when 3 then views * (pace_ms * 7 / 10) end as engaged_ms,
        null::integer as entry_ms, pages[2] as entry_page, profile_id, place_id, origin_id, tier, continued, not continued as counted, newcomer,
        nullif(pages[3:], '{}') as later_pages, case when act is not null then array[act_ms, act_text] end as custom_events,
        case when act_data is not null then jsonb_build_array(act_data) end as event_data,
        case when tier = 3 then (
          select array_agg(number order by hit.ms, n)
          from hits_of(pages) hit
          cross join lateral bench.vitals(visit, hit.ms / pace_ms) loaded
          cross join unnest(load_of_event(hit.text_id, loaded.data)) with ordinality as of_load(first, n)
          cross join lateral (select case n when 1 then hit.ms + ${VITALS_MS}::integer else first end as number) of_visit
        ) end as vitals
      from known where tier > 1
      union all
      select date_trunc('minute', started_at + page.ms * interval '1 millisecond'), null, null, null,
        null, page.text_id, profile_id, place_id, case when page.ms = 0 then origin_id else inner_origin_id end, tier, false,
        page.ms = 0, null, null, null, null, null
      from known cross join lateral hits_of(pages) page where tier = 1
      union all
      select date_trunc('minute', started_at + act_ms * interval '1 millisecond'), null, null, null,
        null, null, profile_id, place_id, inner_origin_id, tier, false,
        false, null, null, array[0, act_text], case when act_data is not null then jsonb_build_array(act_data) end, null
      from known where tier = 1 and act is not null
    )
    select started_at, visitor_id, ${siteKey}::integer, duration_ms, engaged_ms, entry_ms, entry_page, profile_id, place_id,
      origin_id, tier, continued, counted, newcomer, later_pages, custom_events, event_data, vitals
    from rows order by started_at`,
    sql`
    insert into rollup_hours (site_key, hour, tier, pageviews, visits, measured, bounces, duration_ms)
    with day as (
      select * from visits
      where site_key = ${siteKey} and profile_id > 0 and started_at >= ${day} and started_at < ${day} + interval '1 day'
    )
    select ${siteKey}::integer, hour, tier, sum(pageviews), sum(visits), sum(measured), sum(bounces), sum(duration_ms)
    from (
      select date_trunc('hour', started_at + hit.ms * interval '1 millisecond', 'UTC') as hour, tier, 1 as pageviews, 0 as visits,
        0 as measured, 0 as bounces, 0 as duration_ms
      from day cross join lateral (
        select coalesce(entry_ms, 0) as ms where entry_page is not null union all select ms from hits_of(later_pages)) hit
      union all
      select date_trunc('hour', started_at, 'UTC'), tier, 0, 1, (tier = 3)::integer,
        (tier = 3 and custom_events is null and later_pages is null)::integer, case tier when 3 then coalesce(duration_ms, 0) else 0 end
      from day where counted
    ) d
    group by hour, tier order by hour, tier`,
  ];
}

/** Statements that fill `rollup_visitors` and `site_freshness` from all visits of the site. They sort the visits of tiers 2 and 3 once. */
export function rollUpVisitors(sql: Sql, siteKey: number): Statements {
  return [
    sql`select set_config('jit', 'off', true), set_config('work_mem', '512MB', true)`,
    sql`
    insert into rollup_visitors (site_key, unit, bucket, tier, previous, visitors)
    with starts as (
      select tier, visitor_id, date_trunc('hour', started_at, 'UTC') as hour
      from visits
      where site_key = ${siteKey} and profile_id > 0 and visitor_id is not null
        and is_seen(counted, continued, entry_page, custom_events, consent_page)
      group by 1, 2, 3
    ),
    buckets as (
      select tier, visitor_id, 'hour' as unit, hour as bucket from starts
      union all
      select distinct tier, visitor_id, 'day', date_trunc('day', hour, 'UTC') from starts
    ),
    steps as (
      select unit, bucket, tier, lag(bucket) over (partition by tier, visitor_id, unit order by bucket) as previous from buckets
    )
    select ${siteKey}::integer, unit, bucket, tier,
      case when previous is null or unit = 'hour' and previous < bucket - interval '48 hours' then '-infinity'
        else previous end as known_previous,
      count(*)
    from steps
    group by unit, bucket, tier, known_previous
    order by unit, bucket, tier, known_previous`,
    sql`
    insert into site_freshness (site_key, first_event_at, last_event_at, folded_at)
    select ${siteKey}::integer, min(started_at), max(visit_time(started_at, duration_ms)), now()
    from visits where site_key = ${siteKey} and profile_id > 0
    having count(*) > 0
    on conflict (site_key) do nothing`,
  ];
}
