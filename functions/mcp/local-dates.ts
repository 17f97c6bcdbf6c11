/** Calendar dates of a range, for comparing it with another one. */

const DAY_MS = 86_400_000;

/** The date of an instant in a zone, like 2026-11-21. */
const dateIn = (instant: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    instant,
  );

const moved = (date: string, days: number): string =>
  new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10);

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
export const yearBefore = ({ from, to }: Dates): Dates => ({ from: moved(from, -364), to: moved(to, -364) });
