import type { Sql } from '../db.ts';
import { keepVisits } from './filters.ts';
import { type Fragment, inQuarters, looseBounds, looseBoundsBefore } from './range.ts';
import { onlyTier, type ReportInput } from './report.ts';

export interface KeptVisitsOptions {
  /** Epoch milliseconds. */
  now: number;
  /**
   * `begun`: visits that began in the range. `lasting`: also those that began before and lasted into it. `compared`: the same for the
   * range with the one before it.
   */
  which: 'begun' | 'lasting' | 'compared';
  /** A further condition on `visits`; begins with `and`. */
  only?: Fragment;
}

/**
 * Relation `kept` for a statement with `range` (the fragment begins with a comma): the visits that a report counts, each with all that it
 * did. Every report that reads visits reads them here. `inside`: the visit began in the range. `seen`: somebody was on the site.
 *
 * Scans the range's visits once by the index `visits_quarters`, in the partitions of its months, and looks up those that lasted for days
 * by `visits_long`.
 */
export function keptVisits(
  sql: Sql,
  input: ReportInput,
  { now, which, only = sql`` }: KeptVisitsOptions,
): Fragment {
  const { filters = [], tier } = input;
  const { after, before } = looseBounds(input.range, now, which === 'compared');
  const earlier = looseBoundsBefore(input.range, now, which === 'compared');
  const from = sql`(select from_at from range)`;
  const to = sql`(select to_at from range)`;
  const start = which === 'compared' ? sql`(select previous_at from range)` : from;
  const since = which === 'begun' ? start : sql`${start} - interval '1 day'`;
  const ends = sql`visit_time(started_at, duration_ms)`;
  const lasted =
    which === 'begun'
      ? sql``
      : sql`
        and (started_at >= ${start} or ${ends} >= ${start})
        union all
        select *
        from visits
        where site_key = (select site_key from range) and duration_ms >= 86400000
          and started_at >= ${earlier.after}::timestamptz and started_at < ${earlier.before}::timestamptz
          and started_at >= ${start} - longest_visit() and started_at < ${since} and ${ends} >= ${start}`;
  return sql`,
    kept as (
      select v.*, started_at >= ${from} as inside, is_seen(counted, continued, entry_page, custom_events) as seen
      from (
        select *
        from visits
        where site_key = (select site_key from range) and profile_id > 0
          and started_at >= ${after}::timestamptz and started_at < ${before}::timestamptz
          and started_at >= ${since} and started_at < ${to} ${inQuarters(sql, since, to)}
          ${lasted}
      ) v
      where true ${only} ${onlyTier(sql, tier)} ${keepVisits(sql, filters)}
    )`;
}
