import { joinSiteAccess } from '../../access.ts';
import type { ReportContext } from '../../context.ts';
import { dateIn } from '../../dates.ts';
import type { Fragment, Sql } from '../../db.ts';
import type { Period } from '../../visits/periods.ts';
import type { ReportMeta } from '../answers/schemas.ts';

/**
 * The range of a report, in the site's zone. `24h`: 24 hours that end with the current hour. Other periods: this number of whole days
 * that end with today. `from` and `to`: dates (`2026-11-21`), both inclusive.
 */
export type Range = ({ period: Period } | { from: string; to: string }) & {
  shifted?: Shift;
  /** The range that is compared with this one. While it isn't over, this one ends after as much time as has passed of it. */
  elapsedOf?: Range;
};

/**
 * `previous`: the same number of hours or days just before. `weekdays`: the last days just before that are the same days of the week.
 * `year`: the same dates of the year before.
 */
export const SHIFTS = ['previous', 'weekdays', 'year'] as const;
export type Shift = (typeof SHIFTS)[number];

/** With what a report is compared: another range, or the dates of one, both inclusive. */
export type Compare = Shift | { from: string; to: string };

/** The range that another one is compared with: as much of it as has passed of the other one. Hours and days are compared whole. */
export function comparedRange(range: Range, compare: Compare): Range {
  const other: Range = typeof compare === 'string' ? { ...range, shifted: compare } : compare;
  return unitOf(other) === unitOf(range) ? { ...other, elapsedOf: range } : other;
}

/** The range as it is when it is over. */
export const wholeRange = ({ elapsedOf: _, ...range }: Range): Range => range;

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

const DAYS_OF_WEEK = 7;
/** The fewest days of whole weeks that are at least as many. */
const wholeWeeks = (days: number): number => Math.ceil(days / DAYS_OF_WEEK) * DAYS_OF_WEEK;

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

/** Instants around the range that are safe in any zone. Only the database knows the exact ones. */
export function looseBounds(range: Range, now: number): LooseBounds {
  const days = daysOf(range);
  const [first, last] =
    'period' in range ? [now - days * DAY_MS, now] : [Date.parse(range.from), Date.parse(range.to) + DAY_MS];
  const ago =
    DAY_MS *
    { none: 0, previous: days, weekdays: wholeWeeks(days), year: DAYS_OF_YEAR }[range.shifted ?? 'none'];
  return toBounds(first - ago - LOOSE_MS, last - ago + LOOSE_MS);
}

/** The same around the starts of visits that began before the range and lasted into it. */
export function looseBoundsBefore(range: Range, now: number): LooseBounds {
  const after = Date.parse(looseBounds(range, now).after);
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
 * Selects one row `site_key, timezone, from_at, to_at`: the range is [from_at, to_at). No row if the caller may not see the site. Reads
 * `sites` and what `joinSiteAccess` joins by their primary keys.
 */
export function selectRange(
  sql: Sql,
  site: { actor: ReportContext['actor']; siteId: string },
  range: Range,
  now: string,
): Fragment {
  return sql`
    select site.key as site_key, site.timezone, bounds.from_at, bounds.to_at
    from sites site
    ${joinSiteAccess(sql, site.actor)}
    cross join lateral (${boundsOf(sql, range, now)}) bounds
    where site.id = ${site.siteId}::uuid`;
}

/** Selects one row `from_at, to_at` for the time zone of `site`; for a lateral join. */
export const boundsOf = (sql: Sql, range: Range, now: string): Fragment =>
  unitOf(range) === 'hour' ? hourBounds(sql, range, now) : dayBounds(sql, range, now);

/** Each start is truncated to the hour separately, because clocks may change by half an hour in between. */
function hourBounds(sql: Sql, { shifted, elapsedOf }: Range, now: string): Fragment {
  const before = (hour: Fragment, hours: number): Fragment =>
    sql`local_hour(${hour} - ${hours} * interval '1 hour', site.timezone)`;
  const ago = (interval: Fragment): Fragment =>
    sql`((${now}::timestamptz at time zone site.timezone) - ${interval}) at time zone site.timezone`;
  const instant = {
    none: sql`${now}::timestamptz`,
    previous: sql`${now}::timestamptz`,
    weekdays: ago(sql`interval '7 days'`),
    year: ago(sql`interval '1 year'`),
  }[shifted ?? 'none'];
  const asked = sql`
    select first.hour as from_at, last.hour + interval '1 hour' as to_at
    from local_hour(${instant}, site.timezone) as last(hour),
      ${before(sql`last.hour`, HOURS - 1)} as first(hour)`;
  const bounds =
    shifted === 'previous'
      ? sql`select ${before(sql`from_at`, HOURS)} as from_at, from_at as to_at from (${asked}) b`
      : asked;
  if (elapsedOf === undefined) return bounds;
  return sql`
    select other.from_at, least(other.to_at, other.from_at + (${now}::timestamptz - asked.from_at)) as to_at
    from (${bounds}) other cross join (${hourBounds(sql, elapsedOf, now)}) asked`;
}

/** Days are counted by date, and the start of each is found from its noon, so that days of 23 and 25 hours are whole days too. */
function dayBounds(sql: Sql, range: Range, now: string): Fragment {
  const startOf = (date: Fragment): Fragment =>
    sql`local_day(((${date}) + time '12:00') at time zone site.timezone, site.timezone)`;
  const today = sql`(${now}::timestamptz at time zone site.timezone)::date`;
  const lastOf = (one: Range): Fragment => ('period' in one ? today : sql`${one.to}::date`);
  const days = daysOf(range);
  const back = (by: number): Fragment =>
    sql`select asked_last - ${by}::integer as last_day, asked_first - ${by}::integer as first_day`;
  // Each end goes back by itself: 29 February becomes the 28th.
  const shift = {
    none: sql`select asked_last as last_day, asked_first as first_day`,
    previous: back(days),
    weekdays: back(wholeWeeks(days)),
    year: sql`select (asked_last - interval '1 year')::date as last_day, (asked_first - interval '1 year')::date as first_day`,
  }[range.shifted ?? 'none'];
  const { elapsedOf } = range;
  const end = startOf(sql`last_day + 1`);
  // As long after the start of a day as it is now after that of today.
  const cut =
    elapsedOf &&
    sql`
      case when passed >= 0 and passed < ${daysOf(elapsedOf)}::integer then least(
        ${end}, ${startOf(sql`first_day + passed + 1`)},
        ${startOf(sql`first_day + passed`)} + (${now}::timestamptz - ${startOf(today)})) else ${end} end`;
  const passed =
    elapsedOf &&
    sql`
    cross join lateral (
      select ${today} - (${lastOf(elapsedOf)} - ${daysOf(elapsedOf) - 1}::integer) as passed
    ) p`;
  return sql`
    select ${startOf(sql`first_day`)} as from_at, ${cut ?? end} as to_at
    from (select ${lastOf(range)} as asked_last) a
    cross join lateral (select asked_last - ${days - 1}::integer as asked_first) f
    cross join lateral (${shift}) d
    ${passed ?? sql``}`;
}

/** Whether a bucket begins where the range ends, so that none is cut there. */
export function endsWithBucket({ to, timezone }: ReportMeta['range'], interval: Interval): boolean {
  if (interval === 'hour' || interval === 'day') return true;
  const date = dateIn(Date.parse(to), timezone);
  return interval === 'month' ? date.endsWith('-01') : new Date(date).getUTCDay() === 1;
}
