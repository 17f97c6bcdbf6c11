import type { Fragment, Sql } from '../../db.ts';
import type { Tier } from '../answers/schemas.ts';
import { type Filter, keepVisits } from './filters.ts';
import { inQuarters, looseBounds, looseBoundsBefore, type Range } from './report-range.ts';
import { countPages } from './visit-pages.ts';

/** `begun`: visits that began in the range. `lasting`: also those that began before and lasted into it. */
export type Which = 'begun' | 'lasting';

export interface Kept {
  range: Range;
  tier?: Tier | undefined;
  filters?: readonly Filter[] | undefined;
  /** The goal whose conversions lists have beside their figures, by name or id. */
  goal?: string | undefined;
}

/**
 * Selects the visits that filters keep of a range, for a statement with `range`. `more` are further columns; it begins with a comma.
 *
 * Scans the range's visits once by the index `visits_quarters`, in the partitions of its months, and looks up those that lasted for days
 * by `visits_long`.
 */
export function selectVisits(
  sql: Sql,
  { range, tier, filters = [] }: Kept,
  now: number,
  which: Which,
  more: Fragment = sql``,
): Fragment {
  const { after, before } = looseBounds(range, now);
  const earlier = looseBoundsBefore(range, now);
  // The statement's range may be the end of a cut one (`totalsOfCutUnit`).
  const earlierThan = range.elapsedOf === undefined ? earlier.before : before;
  const [from, to] = [sql`(select from_at from range)`, sql`(select to_at from range)`];
  const since = which === 'begun' ? from : sql`${from} - interval '1 day'`;
  const ends = sql`visit_time(started_at, duration_ms)`;
  const ofTier = tier === undefined ? sql`` : sql`and tier = ${tier}::smallint`;
  const isWithin = sql`
    started_at >= ${after}::timestamptz and started_at < ${before}::timestamptz
    and started_at >= ${since} and started_at < ${to} ${inQuarters(sql, since, to)}`;
  // One level: each level of selects in between costs every visit as much as one more report.
  const select = (condition: Fragment): Fragment => sql`
    -- What has no nulls and is often read stands first: a row is unpacked up to the last column that is read.
    select started_at, tier, counted, continued, profile_id, place_id, origin_id, started_at >= ${from} as inside,
      started_at >= ${from} and (duration_ms is null or ${ends} < ${to}) as whole,
      is_seen(counted, continued, entry_page, custom_events, consent_page) as seen, ${countPages(sql)} as views, visitor_id, entry_page,
      duration_ms, entry_ms, later_pages, custom_events, event_data, page_data, consent_page, newcomer ${more}
    from visits
    where site_key = (select site_key from range) and profile_id > 0 and ${condition} ${ofTier} ${keepVisits(sql, filters)}`;
  if (which === 'begun') return select(isWithin);
  return sql`
    ${select(sql`${isWithin} and (started_at >= ${from} or ${ends} >= ${from})`)}
    union all
    ${select(sql`
      duration_ms >= 86400000
      and started_at >= ${earlier.after}::timestamptz and started_at < ${earlierThan}::timestamptz
      and started_at >= ${from} - longest_visit() and started_at < ${since} and ${ends} >= ${from}`)}`;
}
