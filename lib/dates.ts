/** Calendar dates as text (`2026-11-21`), without a zone. Calculations use UTC, where every day has 24 hours. */

const SHAPE = /^20\d\d-\d\d-\d\d$/;

/** Whether the text is an existing date of the years 2000 to 2099. */
export function isDate(text: string): boolean {
  const instant = SHAPE.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
}

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
