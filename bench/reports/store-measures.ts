import type { Sql } from '../../lib/db.ts';
import type { Statements } from './store-day.ts';

/**
 * Statements that sum engagement and vitals of the tier 3 visits in `bench.plan` as the cron does, a whole day at once. They write the raw
 * events (as in `plannedMessages`), sum them to a block, join blocks to larger ones, and drop the raw events.
 *
 * @param start epoch milliseconds of the day's start in UTC, which is the site's time zone; the day must have no raw events
 */
export function storeMeasures(sql: Sql, siteKey: number, start: number): Statements {
  const day = sql`${new Date(start).toISOString()}::timestamptz`;
  const next = sql`${new Date(start + 86_400_000).toISOString()}::timestamptz`;
  return [
    sql`select set_config('jit', 'off', true), set_config('synchronous_commit', 'off', true)`,
    sql`select ensure_partition('events', ${day})`,
    sql`
    insert into events (
      occurred_at, event_id, visitor_id, page_id, site_key, path_id, engaged_ms, scroll_depth, kind, tier, continued, data)
    with views as (
      select started_at + hit.ms * interval '1 millisecond' as viewed_at, visitor_id, gen_random_uuid() as page_id, hit.text_id as path_id,
        hit.ms / pace_ms as page, vitals.data as vitals, pace_ms, continued
      from bench.plan
      cross join lateral hits_of(pages) hit
      cross join lateral bench.vitals(visit, hit.ms / pace_ms) vitals
      where tier = 3
    )
    select viewed_at + event.ms * interval '1 millisecond', gen_random_uuid(), visitor_id, page_id, ${siteKey}::integer,
      case when event.kind <> 3 then path_id end, event.engaged_ms, event.scroll_depth, event.kind, 3, continued, event.data
    from views
    cross join lateral (values
      (1, 0, null, null, null),
      (3, pace_ms - 1, pace_ms * 7 / 10, (20 + page * 30) % 101, null),
      (4, 2000, null, null, vitals)
    ) as event(kind, ms, engaged_ms, scroll_depth, data)`,
    sql`select sum_blocks(${siteKey}::integer, 1::smallint, null, array[${day}], array[${next}], 'infinity')`,
    sql`select join_blocks(${siteKey}::integer, 'UTC', 7::smallint, ${next})`,
    sql`select join_blocks(${siteKey}::integer, 'UTC', 28::smallint, ${next})`,
    sql`select drop_partition(to_regclass('events_' || to_char(${day} at time zone 'UTC', 'YYYYMMDD')))`,
  ];
}
