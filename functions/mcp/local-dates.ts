/** Calendar dates of a range, for comparing it with another one. */

import { addDays, dateIn, firstOfMonth, weekdayOf } from '../../lib/dates.ts';

const DAY_MS = 86_400_000;

export const daysBefore = (instant: string, days: number): string =>
  new Date(Date.parse(instant) - days * DAY_MS).toISOString();

/** An instant as a clock in the zone shows it, with its distance to UTC: `2026-11-22T11:00:00+01:00`. */
export function clockIn(instant: number, timeZone: string): string {
  const zone = new Intl.DateTimeFormat('en', { timeZone, timeZoneName: 'longOffset' })
    .formatToParts(instant)
    .find(({ type }) => type === 'timeZoneName');
  const offset = zone?.value.slice('GMT'.length) || '+00:00';
  const time = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'medium' }).format(instant);
  return `${dateIn(instant, timeZone)}T${time}${offset}`;
}

/** Calendar periods. Those of the present end today. */
export const NAMED_DAYS = [
  'today',
  'yesterday',
  'this_week',
  'last_week',
  'this_month',
  'last_month',
] as const;
export type NamedDays = (typeof NAMED_DAYS)[number];

export const isNamedDays = (period: string | undefined): period is NamedDays =>
  NAMED_DAYS.some((named) => named === period);

/** First and last day of a period in the zone. Weeks begin on Monday. */
export function namedDays(period: NamedDays, now: number, timeZone: string): Dates {
  const today = dateIn(now, timeZone);
  if (period === 'today') return { from: today, to: today };
  if (period === 'yesterday') return { from: addDays(today, -1), to: addDays(today, -1) };
  if (period === 'this_month') return { from: firstOfMonth(today), to: today };
  if (period === 'last_month') {
    const last = addDays(firstOfMonth(today), -1);
    return { from: firstOfMonth(last), to: last };
  }
  const monday = addDays(today, -((weekdayOf(today) + 6) % 7));
  return period === 'this_week'
    ? { from: monday, to: today }
    : { from: addDays(monday, -7), to: addDays(monday, -1) };
}

export interface Dates {
  from: string;
  to: string;
}

/** First and last day of a range of whole days. `to` is exclusive. */
export const datesOf = ({ from, to, timezone }: { from: string; to: string; timezone: string }): Dates => ({
  from: dateIn(Date.parse(from), timezone),
  to: dateIn(Date.parse(to) - 1, timezone),
});

/** The same days a year before: 52 weeks, so that weekdays are compared with the same. */
export const yearBefore = ({ from, to }: Dates): Dates => ({
  from: addDays(from, -364),
  to: addDays(to, -364),
});
