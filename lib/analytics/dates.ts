/** Calendar dates as text (`2026-11-21`), without a zone: arithmetic is that of UTC, in which every day is whole. */

const SHAPE = /^20\d\d-\d\d-\d\d$/;

/** Whether it is a date that the calendar has, of the years 2000 to 2099. */
export function isDate(text: string): boolean {
  const instant = SHAPE.test(text) ? Date.parse(text) : Number.NaN;
  return !Number.isNaN(instant) && new Date(instant).toISOString().startsWith(text);
}

/** Whether the days from one date to the other, both inclusive, are at most so many months. */
export function isWithinMonths(from: string, to: string, months: number): boolean {
  const end = new Date(from);
  end.setUTCMonth(end.getUTCMonth() + months);
  return Date.parse(to) < end.getTime();
}
