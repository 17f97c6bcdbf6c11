/** Calendar dates of a range, for comparing it with another one. */

import { addDays, dateIn } from '../../lib/dates.ts';
import type { Dates } from '../../lib/visits/calendar-periods.ts';

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
