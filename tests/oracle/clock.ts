/** Local hours and days from many calls of Intl: slow, and independent of the database's arithmetic. */

const formats = new Map<string, Intl.DateTimeFormat>();

function parts(at: number, zone: string): Record<string, number> {
  let format = formats.get(zone);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', {
      timeZone: zone,
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      hourCycle: 'h23',
    });
    formats.set(zone, format);
  }
  return Object.fromEntries(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
}

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const QUARTER_MS = 15 * MINUTE_MS;

/** The local date as `2026-11-01`. */
export function localDate(at: number, zone: string): string {
  const { year = 0, month = 0, day = 0 } = parts(at, zone);
  return `${year}-${String(month).padStart(2, '0')}-${String(day).padStart(2, '0')}`;
}

/** The hour of the local day, 0 to 23. */
export const localHour = (at: number, zone: string): number => parts(at, zone).hour ?? 0;

/** The first instant of a local date like `2026-11-01`. */
export function startOfDate(date: string, zone: string): number {
  let at = Date.parse(`${date}T12:00:00Z`);
  while (localDate(at, zone) > date) at -= QUARTER_MS;
  while (localDate(at, zone) < date) at += QUARTER_MS;
  return startOfDay(at, zone);
}

export function startOfHour(at: number, zone: string): number {
  const { minute = 0, second = 0 } = parts(at, zone);
  const whole = Math.floor(at / SECOND_MS) * SECOND_MS;
  return whole - minute * MINUTE_MS - second * SECOND_MS;
}

/** The first instant of the local date: walks back a quarter of an hour at a time, since zones change on quarters. */
export function startOfDay(at: number, zone: string): number {
  const date = localDate(at, zone);
  let start = Math.floor(at / QUARTER_MS) * QUARTER_MS;
  while (localDate(start - QUARTER_MS, zone) === date) start -= QUARTER_MS;
  return start;
}

/** The first instant of the next local date. */
export function nextDay(at: number, zone: string): number {
  const date = localDate(at, zone);
  let next = Math.floor(at / QUARTER_MS) * QUARTER_MS + QUARTER_MS;
  while (localDate(next, zone) === date) next += QUARTER_MS;
  return next;
}
