import type { Fragment, Sql } from '../../db.ts';
import type { ReportInput } from '../reading/run-report.ts';
import { countsOfRaw, sealedValues } from './counts.ts';

/** A kind of hit during visits, and where sealed days store it. */
interface Hits {
  /** A relation `ms, value` with the hits of a visit. */
  of: Fragment;
  /** True if such a hit alone proves that the visitor was on the site. */
  isSeen: boolean;
  /** The `rows` of `countsOf`. */
  rows: Fragment;
  none?: Fragment;
}

export const eventHits = (sql: Sql): Hits => ({
  of: sql`(select ms, text_id as value from hits_of(custom_events))`,
  isSeen: false,
  rows: sealedValues(sql, 'event'),
});

/** The keys and values of an event's properties (`props_of`); `event` selects the event's id. */
export const propHits = (sql: Sql, event: Fragment): Hits => ({
  of: sql`(select ms, value from props_of(custom_events, event_data) where event = ${event})`,
  isSeen: false,
  rows: sql`rollup_props r on r.site_key = (select site_key from range) and r.bucket = b.bucket and r.event = ${event}`,
  none: sql`''`,
});

/** The keys and values of page views' properties. */
export const pagePropHits = (sql: Sql): Hits => ({
  of: sql`(select ms, prop.value from page_data_of(page_data) page cross join lateral props_in(page.data) prop)`,
  isSeen: true,
  rows: sql`rollup_props r on r.site_key = (select site_key from range) and r.bucket = b.bucket and r.event = 0`,
  none: sql`''`,
});

/**
 * `countsOfRaw` for hits during visits, for a statement with `raw`. A hit counts at its own time. Its visit counts where it first has the
 * value in the range, so that a visit over midnight doesn't count twice.
 */
export function countsOfHits(sql: Sql, input: ReportInput, { of, isSeen, rows, none }: Hits): Fragment {
  const from = sql`(select from_at from range)`;
  const visitor = isSeen ? sql`visitor_id` : sql`case when seen then visitor_id end as visitor_id`;
  return countsOfRaw(sql, input, {
    rows,
    none,
    hits: sql`
      select value, tier, visitor_id, is_new, at, (counted and nth = 1)::integer as visits, 1 as hits
      from (
        select value, tier, visitor_id, is_new, at, counted, x, y, row_number() over (partition by visit, value order by at) as nth
        from (
          select visit, tier, ${visitor}, is_new, counted, x, y, hit.value, started_at + hit.ms * interval '1 millisecond' as at
          from raw cross join lateral ${of} hit
        ) hit
        where at >= ${from} and at < y
      ) numbered
      where at >= x`,
    had: sql`
      select hit.value, tier, visitor_id, started_at + hit.ms * interval '1 millisecond' as at
      from earlier cross join lateral ${of} hit
      where started_at + hit.ms * interval '1 millisecond' >= ${from}`,
  });
}
