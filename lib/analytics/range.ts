import { joinSiteAccess } from '../access.ts';
import type { ReportContext } from '../context.ts';
import type { Sql } from '../db.ts';

/** Part of a statement: composed into others by the driver, never sent by itself. */
export type Fragment = ReturnType<Sql>;

export const PERIODS = ['24h', '7d', '30d', '90d'] as const;
export type Period = (typeof PERIODS)[number];

/**
 * What a report looks at, in the site's zone. `24h`: 24 hours with the present one as the last. Other periods: that many
 * whole days with today as the last. `from` and `to`: dates (`2026-11-21`), both inclusive.
 */
export type Range = { period: Period } | { from: string; to: string };

/** Visitors of 24 hours are told apart by hours, of days by days (schema/migrations/0005-rollups.sql, `rollup_visitors`). */
export type Unit = 'hour' | 'day';

export const unitOf = (range: Range): Unit => ('period' in range && range.period === '24h' ? 'hour' : 'day');

const HOURS = 24;
const DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const;
const DAY_MS = 24 * 60 * 60 * 1000;

/** How many days a range has; two for the 24 hours, which lie in two. */
export function daysOf(range: Range): number {
  if (!('period' in range)) return Math.round((Date.parse(range.to) - Date.parse(range.from)) / DAY_MS) + 1;
  return range.period === '24h' ? 2 : DAYS[range.period];
}

/**
 * Constant instants that surely hold the range, in any zone. The exact ones are known to the database alone; with these it
 * knows when it plans which partitions it needs and about how many rows will come. `withPrevious`: and the range before.
 */
export function looseBounds(
  range: Range,
  now: number,
  withPrevious = false,
): { after: string; before: string } {
  const [first, last] =
    'period' in range
      ? [now - daysOf(range) * DAY_MS, now]
      : [Date.parse(range.from), Date.parse(range.to) + DAY_MS];
  return {
    after: new Date(first - (2 + (withPrevious ? daysOf(range) : 0)) * DAY_MS).toISOString(),
    before: new Date(last + 2 * DAY_MS).toISOString(),
  };
}

/**
 * What visits that began in [from, to) have in common, so that indexes by quarter hours find them (schema/migrations/0004-visits.sql); begins with
 * `and`. More may have it, unless both instants are starts of days or hours.
 */
export const inQuarters = (sql: Sql, from: Fragment, to: Fragment): Fragment =>
  sql`and quarter_hour(started_at) >= quarter_hour(${from}) and quarter_hour(started_at) < ${to}`;

/**
 * Selects one row `site_key, timezone, from_at, to_at, previous_at`: the range is [from_at, to_at), and [previous_at, from_at) is
 * what it is compared with, as many hours or days just before. No row if the caller may not see the site. Reads `sites` and
 * what `joinSiteAccess` joins by their primary keys.
 */
export function selectRange(
  sql: Sql,
  site: { actor: ReportContext['actor']; siteId: string },
  range: Range,
  now: string,
): Fragment {
  const bounds = unitOf(range) === 'hour' ? hourBounds(sql, now) : dayBounds(sql, range, now);
  return sql`
    select site.key as site_key, site.timezone, bounds.from_at, bounds.to_at, bounds.previous_at
    from sites site
    ${joinSiteAccess(sql, site.actor)}
    cross join lateral (${bounds}) bounds
    where site.id = ${site.siteId}::uuid`;
}

/** Each start is cut to its own hour, since a zone's clocks may change by half an hour in between. */
function hourBounds(sql: Sql, now: string): Fragment {
  const before = (hour: Fragment, hours: number): Fragment =>
    sql`local_hour(${hour} - ${hours} * interval '1 hour', site.timezone)`;
  return sql`
    select first.hour as from_at, last.hour + interval '1 hour' as to_at,
      ${before(sql`first.hour`, HOURS)} as previous_at
    from local_hour(${now}::timestamptz, site.timezone) as last(hour),
      ${before(sql`last.hour`, HOURS - 1)} as first(hour)`;
}

/** Days are counted by date and cut at their noon, so that days of 23 and 25 hours are whole too. */
function dayBounds(sql: Sql, range: Range, now: string): Fragment {
  const startOf = (date: Fragment): Fragment =>
    sql`local_day((${date} + time '12:00') at time zone site.timezone, site.timezone)`;
  const last =
    'period' in range ? sql`(${now}::timestamptz at time zone site.timezone)::date` : sql`${range.to}::date`;
  const days = daysOf(range);
  return sql`
    select ${startOf(sql`last.day - ${days - 1}::integer`)} as from_at,
      ${startOf(sql`last.day + 1`)} as to_at,
      ${startOf(sql`last.day - ${2 * days - 1}::integer`)} as previous_at
    from (select ${last} as day) last`;
}
