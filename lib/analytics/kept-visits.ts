import type { Sql } from '../db.ts';
import { type Filter, keepPages, keepVisits } from './filters.ts';
import { type Fragment, inQuarters, looseBounds } from './range.ts';
import { onlyTier, type ReportInput } from './report.ts';

export interface KeptVisitsOptions {
  /** Epoch milliseconds. */
  now: number;
  /** Also keeps visits of the range that this one is compared with. */
  withPrevious?: boolean;
  /** A further condition on `visits`; begins with `and`. */
  only?: Fragment;
}

/**
 * Tables `kept` and `views` for a statement with `range` (the fragment begins with a comma): the visits of a report, and their page views
 * with the time `at`. Includes visits that began up to a day before the range, because they may have page views in it. `inside` is true
 * for visits that began in the range.
 *
 * Scans the range's visits once by the index `visits_quarters`, in the partitions of its months.
 */
export function keptVisits(sql: Sql, input: ReportInput, options: KeptVisitsOptions): Fragment {
  const { filters = [], tier } = input;
  const { after, before } = looseBounds(input.range, options.now, options.withPrevious);
  const start = options.withPrevious === true ? sql`previous_at` : sql`from_at`;
  return sql`,
    kept as materialized (
      select row_number() over () as visit, visits.*, visits.started_at >= from_at as inside,
        entry_page is not null or custom_events is not null as has_hits,
        is_seen(counted, continued, entry_page, custom_events) as seen
      from range
      join visits using (site_key)
      where profile_id > 0
        and started_at >= ${after}::timestamptz and started_at < ${before}::timestamptz
        and started_at >= ${start} - interval '1 day' and started_at < to_at
        ${inQuarters(sql, sql`${start} - interval '1 day'`, sql`to_at`)}
        ${options.only ?? sql``} ${onlyTier(sql, tier)} ${keepVisits(sql, filters)}
    ),
    ${viewsOf(sql, filters)}`;
}

function viewsOf(sql: Sql, filters: readonly Filter[]): Fragment {
  return sql`
    views as (
      select kept.visit, kept.tier, kept.visitor_id, kept.counted, view.path_id,
        kept.started_at + view.ms * interval '1 millisecond' as at
      from kept
      cross join lateral (
        select coalesce(kept.entry_ms, 0) as ms, kept.entry_page as path_id where kept.entry_page is not null
        union all select ms, text_id from hits_of(kept.later_pages)
      ) view
      where true ${keepPages(sql, filters, sql`view.path_id`)}
    )`;
}

/**
 * The condition after `where` that keeps a report's visits that began in the range, for a select from `visits` in a statement with
 * `range`. The index `visits_quarters` finds them.
 */
export function begunInRange(sql: Sql, input: ReportInput, now: number): Fragment {
  const { filters = [], tier } = input;
  const { after, before } = looseBounds(input.range, now);
  return sql`
    site_key = (select site_key from range) and profile_id > 0
    and started_at >= ${after}::timestamptz and started_at < ${before}::timestamptz
    and started_at >= (select from_at from range) and started_at < (select to_at from range)
    ${inQuarters(sql, sql`(select from_at from range)`, sql`(select to_at from range)`)}
    ${onlyTier(sql, tier)} ${keepVisits(sql, filters)}`;
}
