/** Local hours and days from Intl: independent of the database's arithmetic. */

const MINUTE_MS = 60_000;
/** Zones change on quarters of an hour, and lie whole quarters from UTC. */
const QUARTER_MS = 15 * MINUTE_MS;

interface Local {
  date: string;
  hour: number;
  minute: number;
}

class Zone {
  readonly #format: Intl.DateTimeFormat;
  readonly #quarters = new Map<number, Local>();

  constructor(timeZone: string) {
    this.#format = new Intl.DateTimeFormat('en-GB', {
      timeZone,
      year: 'numeric',
      month: '2-digit',
      day: '2-digit',
      hour: '2-digit',
      minute: '2-digit',
      hourCycle: 'h23',
    });
  }

  /** What the clocks show at the start of the quarter that holds this instant. */
  quarterOf(at: number): Local {
    const start = Math.floor(at / QUARTER_MS) * QUARTER_MS;
    let local = this.#quarters.get(start);
    if (local === undefined) {
      const parts = Object.fromEntries(
        this.#format.formatToParts(start).map(({ type, value }) => [type, value]),
      );
      const { year, month, day, hour, minute } = parts;
      local = { date: `${year}-${month}-${day}`, hour: Number(hour), minute: Number(minute) };
      this.#quarters.set(start, local);
    }
    return local;
  }
}

const zones = new Map<string, Zone>();

function quarterOf(at: number, name: string): Local {
  let zone = zones.get(name);
  if (zone === undefined) {
    zone = new Zone(name);
    zones.set(name, zone);
  }
  return zone.quarterOf(at);
}

/** The local date as `2026-11-01`. */
export const localDate = (at: number, zone: string): string => quarterOf(at, zone).date;

/** The hour of the local day, 0 to 23. */
export const localHour = (at: number, zone: string): number => quarterOf(at, zone).hour;

/** The first instant of a local date like `2026-11-01`. */
export function startOfDate(date: string, zone: string): number {
  let at = Date.parse(`${date}T12:00:00Z`);
  while (localDate(at, zone) > date) at -= QUARTER_MS;
  while (localDate(at, zone) < date) at += QUARTER_MS;
  return startOfDay(at, zone);
}

export const startOfHour = (at: number, zone: string): number =>
  Math.floor(at / QUARTER_MS) * QUARTER_MS - quarterOf(at, zone).minute * MINUTE_MS;

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
