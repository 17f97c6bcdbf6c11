import type { Fragment, Sql } from '../../db.ts';
import { inQuarters, looseBounds, unitOf } from '../reading/report-range.ts';
import { asksForVisits, onlyTier, type ReportInput } from '../reading/run-report.ts';

/**
 * Whether a report can be computed from sealed days: it covers whole days and all visits of a tier or of all tiers, including small
 * groups.
 */
export const isSealable = (input: ReportInput): boolean =>
  unitOf(input.range) === 'day' && !asksForVisits(input);

/**
 * Tables `blocks` and `raw` for a statement with `range` (the fragment begins with a comma). `blocks` (`span, bucket, passed`) has the
 * largest sealed blocks of days (schema/migrations/0007-sealed.sql) in the range; `passed` selects the returning visitors who were in the
 * range before the block. `raw` has the visits that are in no block, each with the window [x, y) of days in which its hits are raw:
 * visits of days that aren't sealed, and visits of sealed days that began after sealing or were open then. If `is_new` is true, no block
 * has the visitor: it is the visitor's first visit, and it began after everything that is sealed.
 *
 * `daysOf`: use single days only; for `targets`, only days that were sealed with the current goals and funnels of the site.
 *
 * A range of 90 days has some 25 blocks. `raw` reads the visits of the days that aren't sealed, by `visits_quarters`.
 */
export function blocksAndRaw(
  sql: Sql,
  input: ReportInput,
  now: number,
  { daysOf }: { daysOf?: 'targets' | 'days' | undefined } = {},
): Fragment {
  const { after, before } = looseBounds(input.range, now);
  const present = sql`${new Date(now).toISOString()}::timestamptz`;
  const bounded = sql`
    v.site_key = (select site_key from range) and v.profile_id > 0
    and v.started_at >= ${after}::timestamptz and v.started_at < ${before}::timestamptz ${onlyTier(sql, input.tier)}`;
  const known = {
    none: sql``,
    days: sql`and s.span = 1`,
    targets: sql`and s.span = 1 and s.targets = (select targets from site_seals where site_key = s.site_key)`,
  }[daysOf ?? 'none'];
  const end = sql`visit_time(v.started_at, v.duration_ms)`;
  return sql`,
    days as materialized (
      select (from_at at time zone timezone)::date as from_day, (to_at at time zone timezone)::date as to_day,
        (${present} at time zone timezone)::date as today, timezone, site_key, from_at,
        -- Of what was before it nothing is known any more, nor who returned from there.
        (
          select (v.started_at at time zone timezone)::date from visits v
          where ${bounded} and v.started_at >= from_at and quarter_hour(v.started_at) >= from_at
          order by quarter_hour(v.started_at) limit 1
        ) as known_day
      from range
    ),
    seals as materialized (
      select s.span, s.bucket, s.until, day_start(s.bucket, timezone) as start_at, day_start(s.bucket + 1, timezone) as end_at
      from days join sealed_days s using (site_key)
      where s.ready and s.bucket >= from_day and s.bucket + s.span <= to_day ${known}
    ),
    valid as materialized (
      select span, bucket from seals b
      where span = (select count(*) from seals d where d.span = 1 and d.bucket >= b.bucket and d.bucket < b.bucket + b.span)
    ),
    blocks as materialized (
      select span, bucket, (bucket - coalesce(greatest(known_day, from_day), from_day))::smallint as passed
      from days cross join valid b
      where not exists (
        select from valid w where w.span > b.span and w.bucket <= b.bucket and w.bucket + w.span > b.bucket)
    ),
    windows as materialized (
      select day_start(min(day), timezone) as x, day_start(max(day) + 1, timezone) as y,
        day_start(min(day), timezone) - interval '1 day' as since, true as whole
      from (
        select day, timezone, day - row_number() over (order by day)::integer as run
        from days cross join lateral (
          select from_day + n as day from generate_series(0, least(to_day - 1, today) - from_day) n
        ) d
        where not exists (select from seals where span = 1 and bucket = day)
      ) loose
      group by run, timezone
      union all
      select start_at, end_at, until, false from seals where span = 1 and until < end_at
    ),
    raw as materialized (
      select row_number() over () as visit, v.*,
        coalesce(newcomer and started_at >= coalesce((select max(until) from seals), '-infinity'), false) as is_new
      from (
        select ${columns(sql)}, x, y
        from windows cross join lateral (
          select * from visits v
          where ${bounded} and v.started_at >= since and v.started_at < y ${inQuarters(sql, sql`since`, sql`y`)}
          offset 0
        ) v
        where v.started_at >= x or ${end} >= x
        union all
        select ${columns(sql)}, x, y
        from windows cross join lateral (
          select * from visits v
          where v.site_key = (select site_key from range) and v.duration_ms >= 86400000 ${onlyTier(sql, input.tier)}
            and v.started_at < since and v.started_at >= since - longest_visit() and ${end} >= x
          offset 0
        ) v
        where whole
        union all
        select ${columns(sql)}, start_at, end_at
        from seals
        join open_visits o on o.site_key = (select site_key from range) and o.day = bucket
        join visits v on v.site_key = o.site_key and v.visitor_id = o.visitor_id
          and v.tier = o.tier and v.started_at = o.started_at
        where span = 1 ${input.tier === undefined ? sql`` : sql`and o.tier = ${input.tier}::smallint`}
      ) v
    )`;
}

const columns = (sql: Sql): Fragment => sql`
  v.started_at, v.visitor_id, v.tier, v.continued, v.counted, v.entry_ms, v.entry_page, v.later_pages, v.custom_events,
  v.event_data, v.page_data, v.consent_page, v.newcomer, v.profile_id, v.place_id, v.origin_id`;
