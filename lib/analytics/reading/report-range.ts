import { joinSiteAccess } from '../../access.ts';
import type { ReportContext } from '../../context.ts';
import type { Fragment, Sql } from '../../db.ts';
import type { Period } from '../../visits/periods.ts';

/**
 * The range of a report, in the site's zone. `24h`: 24 hours that end with the current hour. Other periods: this number of whole days
 * that end with today. `from` and `to`: dates (`2026-11-21`), both inclusive.
 */
export type Range = ({ period: Period } | { from: string; to: string }) & { shifted?: Shift };

/** `previous`: the same number of hours or days just before. `year`: the same dates of the year before. */
export type Shift = 'previous' | 'year';

/** With what a report is compared: another range, or the dates of one, both inclusive. */
export type Compare = Shift | { from: string; to: string };

export const comparedRange = (range: Range, compare: Compare): Range =>
  typeof compare === 'string' ? { ...range, shifted: compare } : compare;

/**
 * Visitors are counted once per hour in `24h`, and once per day in other ranges (schema/migrations/0005-rollups.sql, `rollup_visitors`).
 */
export type Unit = 'hour' | 'day';

export const unitOf = (range: Range): Unit => ('period' in range && range.period === '24h' ? 'hour' : 'day');

/** How long the buckets of a range are. Weeks are those of ISO 8601, from Monday. */
export type Interval = 'hour' | 'day' | 'week' | 'month';

const HOURS = 24;
const DAYS = { '7d': 7, '30d': 30, '90d': 90 } as const;
const DAY_MS = 24 * 60 * 60 * 1000;

/** The number of days of a range; two for `24h`, which touches two days. */
export function daysOf(range: Range): number {
  if (!('period' in range)) return Math.round((Date.parse(range.to) - Date.parse(range.from)) / DAY_MS) + 1;
  return range.period === '24h' ? 2 : DAYS[range.period];
}

/** More than the ends of a range differ between zones, and more than a year is longer in leap years. */
const LOOSE_MS = 2 * DAY_MS;
const DAYS_OF_YEAR = 365;
/** `longest_visit` (schema/functions/visits.sql) and a day. */
const LONGEST_VISIT_MS = 25 * DAY_MS;

/** Constant instants, exclusive: the planner knows the needed partitions by them, and can estimate the number of rows. */
interface LooseBounds {
  after: string;
  before: string;
}

const toBounds = (after: number, before: number): LooseBounds => ({
  after: new Date(after).toISOString(),
  before: new Date(before).toISOString(),
});

/** Instants around the range that are safe in any zone. Only the database knows the exact ones. `withPrevious`: includes the previous range. */
export function looseBounds(range: Range, now: number, withPrevious = false): LooseBounds {
  const days = daysOf(range);
  const [first, last] =
    'period' in range ? [now - days * DAY_MS, now] : [Date.parse(range.from), Date.parse(range.to) + DAY_MS];
  const ago = range.shifted === undefined ? 0 : DAY_MS * (range.shifted === 'year' ? DAYS_OF_YEAR : days);
  return toBounds(first - ago - LOOSE_MS - (withPrevious ? days * DAY_MS : 0), last - ago + LOOSE_MS);
}

/** The same around the starts of visits that began before the range and lasted into it. */
export function looseBoundsBefore(range: Range, now: number, withPrevious = false): LooseBounds {
  const after = Date.parse(looseBounds(range, now, withPrevious).after);
  return toBounds(after - LONGEST_VISIT_MS, after + 2 * LOOSE_MS);
}

/**
 * A condition that visits with a start in [from, to) fulfil, so that indexes by quarter hours find them
 * (schema/migrations/0004-visits.sql); begins with `and`. Other visits may fulfil it too, unless both instants are starts of days or
 * hours.
 */
export const inQuarters = (sql: Sql, from: Fragment, to: Fragment): Fragment =>
  sql`and quarter_hour(started_at) >= quarter_hour(${from}) and quarter_hour(started_at) < ${to}`;

/**
 * Selects one row `site_key, timezone, from_at, to_at, previous_at`: the range is [from_at, to_at). [previous_at, from_at) is the range
 * that it is compared with: the same number of hours or days before it. No row if the caller may not see the site. Reads `sites` and what
 * `joinSiteAccess` joins by their primary keys.
 */
export function selectRange(
  sql: Sql,
  site: { actor: ReportContext['actor']; siteId: string },
  range: Range,
  now: string,
): Fragment {
  return sql`
    select site.key as site_key, site.timezone, bounds.from_at, bounds.to_at, bounds.previous_at
    from sites site
    ${joinSiteAccess(sql, site.actor)}
    cross join lateral (${boundsOf(sql, range, now)}) bounds
    where site.id = ${site.siteId}::uuid`;
}

/** Selects one row `from_at, to_at, previous_at` for the time zone of `site`; for a lateral join. */
export const boundsOf = (sql: Sql, range: Range, now: string): Fragment =>
  unitOf(range) === 'hour' ? hourBounds(sql, range, now) : dayBounds(sql, range, now);

/** Each start is truncated to the hour separately, because clocks may change by half an hour in between. */
function hourBounds(sql: Sql, { shifted }: Range, now: string): Fragment {
  const before = (hour: Fragment, hours: number): Fragment =>
    sql`local_hour(${hour} - ${hours} * interval '1 hour', site.timezone)`;
  const instant =
    shifted === 'year'
      ? sql`((${now}::timestamptz at time zone site.timezone) - interval '1 year') at time zone site.timezone`
      : sql`${now}::timestamptz`;
  const bounds = sql`
    select first.hour as from_at, last.hour + interval '1 hour' as to_at,
      ${before(sql`first.hour`, HOURS)} as previous_at
    from local_hour(${instant}, site.timezone) as last(hour),
      ${before(sql`last.hour`, HOURS - 1)} as first(hour)`;
  return shifted === 'previous'
    ? sql`select previous_at as from_at, from_at as to_at, ${before(sql`previous_at`, HOURS)} as previous_at from (${bounds}) b`
    : bounds;
}

/** Days are counted by date, and the start of each is found from its noon, so that days of 23 and 25 hours are whole days too. */
function dayBounds(sql: Sql, range: Range, now: string): Fragment {
  const startOf = (date: Fragment): Fragment =>
    sql`local_day(((${date}) + time '12:00') at time zone site.timezone, site.timezone)`;
  const last =
    'period' in range ? sql`(${now}::timestamptz at time zone site.timezone)::date` : sql`${range.to}::date`;
  const days = daysOf(range);
  // Each end goes back by itself: 29 February becomes the 28th.
  const shift = {
    none: sql`select asked_last as last_day, asked_first as first_day`,
    previous: sql`select asked_last - ${days}::integer as last_day, asked_first - ${days}::integer as first_day`,
    year: sql`select (asked_last - interval '1 year')::date as last_day, (asked_first - interval '1 year')::date as first_day`,
  }[range.shifted ?? 'none'];
  return sql`
    select ${startOf(sql`first_day`)} as from_at, ${startOf(sql`last_day + 1`)} as to_at,
      ${startOf(sql`first_day - ${days}::integer`)} as previous_at
    from (select ${last} as asked_last) a
    cross join lateral (select asked_last - ${days - 1}::integer as asked_first) f
    cross join lateral (${shift}) d`;
}
