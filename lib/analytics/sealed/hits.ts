import type { Sql } from '../../db.ts';
import type { Fragment } from '../range.ts';
import type { ReportInput } from '../report.ts';
import { blocksAndRaw } from './blocks.ts';
import { countsOf } from './counts.ts';

/**
 * `blocksAndRaw` and `countsOf` for what happens in the middle of visits. An event or page view counts when it happened; its visit counts where it
 * has the value first in the range, which is what keeps one over midnight from counting twice.
 */
export function countsOfHits(sql: Sql, input: ReportInput, now: number, kind: 'page' | 'event'): Fragment {
  const from = sql`(select from_at from range)`;
  return sql`${blocksAndRaw(sql, input, now)} ${countsOf(sql, input, {
    dimension: kind,
    hits: sql`
      select value, tier, visitor_id, at, (counted and nth = 1)::integer as visits, 1 as hits
      from (
        select value, tier, visitor_id, at, counted, x, y, row_number() over (partition by visit, value order by at) as nth
        from (
          select visit, tier, ${kind === 'page' ? sql`visitor_id` : sql`case when is_seen(counted, continued, entry_page, custom_events) then visitor_id end as visitor_id`},
            counted, x, y, hit.text_id as value, started_at + hit.ms * interval '1 millisecond' as at
          from raw cross join lateral ${hitsOf(sql, kind)} hit
        ) hit
        where at >= ${from} and at < y
      ) numbered
      where at >= x`,
    had: sql`
      select hit.text_id as value, tier, visitor_id, started_at + hit.ms * interval '1 millisecond' as at
      from earlier cross join lateral ${hitsOf(sql, kind)} hit
      where started_at + hit.ms * interval '1 millisecond' >= ${from}`,
  })}`;
}

/** A relation `ms, text_id` of a visit's page views or custom events. */
function hitsOf(sql: Sql, kind: 'page' | 'event'): Fragment {
  return kind === 'event'
    ? sql`hits_of(custom_events)`
    : sql`(select entry_ms as ms, entry_page as text_id where entry_page is not null union all select ms, text_id from hits_of(later_pages))`;
}
