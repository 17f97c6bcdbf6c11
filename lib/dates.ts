/** Calendar dates as text (`2026-11-21`), without a zone. Calculations use UTC, where every day has 24 hours. */

const SHAPE = /^20\d\d-\d\d-\d\d$/;

/** Whether the text is an existing date of the years 2000 to 2099. */
export function isDate(text: string): boolean {
  const instant = SHAPE.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
}

const DAY_MS = 86_400_000;

const dateOf = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

export const addDays = (date: string, days: number): string => dateOf(Date.parse(date) + days * DAY_MS);

/** 0 for the same day. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

export const firstOfMonth = (date: string): string => `${date.slice(0, 8)}01`;

/** The same day of another month, or its last day if it is shorter. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 1, day = 1] = date.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return dateOf(Date.UTC(year, month - 1 + months, Math.min(day, last)));
}

/** 0 is Sunday. */
export const weekdayOf = (date: string): number => new Date(date).getUTCDay();

/** Whether the range from one date to the other, both inclusive, has at most this number of months. */
export function isWithinMonths(from: string, to: string, months: number): boolean {
  const end = new Date(from);
  end.setUTCMonth(end.getUTCMonth() + months);
  return Date.parse(to) < end.getTime();
}

/** The date of an instant in a zone. */
export const dateIn = (instant: number, timeZone: string): string =>
  new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' }).format(
    instant,
  );
