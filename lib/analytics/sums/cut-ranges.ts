/**
 * Sums of a range that ends within an hour or a day (`Range.elapsedOf`). Rollups know its whole units; of the last one, which is cut, the
 * visits are read once by `visits_quarters`, as those of the present day are.
 */
import type { Fragment, Sql } from '../../db.ts';
import { type Kept, selectVisits, type Which } from '../reading/kept-visits.ts';
import { type Range, unitOf } from '../reading/report-range.ts';
import { countPagesWithin } from '../reading/visit-pages.ts';

/** The end of the whole units of a row `from_at, to_at, timezone`: hours of 24 hours, days of other ranges. */
export const endOfUnits = (sql: Sql, range: Range): Fragment =>
  range.elapsedOf === undefined
    ? sql`to_at`
    : unitOf(range) === 'hour'
      ? sql`local_hour(to_at, timezone)`
      : sql`local_day(to_at, timezone)`;

/**
 * Tables `cut_visits` and `present` (`tier, visitors`) for the two selects below. `which` visits are in
 * `cut_visits`.
 */
const cutTables = (sql: Sql, input: Kept, now: number, which: Which): Fragment => sql`
    since as materialized (select from_at as range_at from range),
    range as materialized (select site_key, timezone, units_end as from_at, to_at from range),
    cut_visits as materialized (${selectVisits(sql, input, now, which)}),
    people as (
      select tier, visitor_id, bool_or(newcomer) as is_new
      from cut_visits where inside and seen and visitor_id is not null
      group by tier, visitor_id
    ),
    present as (
      select tier, count(*) as visitors
      from people who
      where is_new or not exists (
        select from visits p
        where p.site_key = (select site_key from range) and p.visitor_id = who.visitor_id and p.tier = who.tier
          and p.started_at >= (select range_at from since) and p.started_at < (select from_at from range)
          and is_seen(p.counted, p.continued, p.entry_page, p.custom_events, p.consent_page)
      )
      group by tier
    )`;

/**
 * Selects `visitors`: who was in the cut unit, and not since the start of the range before it. For a statement with a `range` that has
 * `units_end` (`endOfUnits`). Who isn't a newcomer is looked up once by `visits_by_visitor`.
 */
export const visitorsOfCutUnit = (sql: Sql, input: Kept, now: number): Fragment => sql`
    with ${cutTables(sql, input, now, 'begun')}
    select sum(visitors) as visitors from present`;

/** Selects `tier, visits, visitors, pageviews, measured, bounces, duration_ms` of the cut unit, as `visitorsOfCutUnit`. */
export function totalsOfCutUnit(sql: Sql, input: Kept, now: number): Fragment {
  const [from, to] = [sql`(select from_at from range)`, sql`(select to_at from range)`];
  const isMeasured = sql`inside and counted and tier = 3`;
  return sql`
    with ${cutTables(sql, input, now, 'lasting')}
    select tier, visits, coalesce(visitors, 0) as visitors, pageviews, measured, bounces, duration_ms
    from (
      select tier, count(*) filter (where inside and counted) as visits,
        sum(case when whole then views else ${countPagesWithin(sql, from, to)} end) as pageviews,
        count(*) filter (where ${isMeasured}) as measured,
        count(*) filter (where ${isMeasured} and is_bounce(later_pages, custom_events, event_data)) as bounces,
        sum(duration_ms) filter (where ${isMeasured}) as duration_ms
      from cut_visits
      group by tier
    ) v
    left join present using (tier)`;
}
