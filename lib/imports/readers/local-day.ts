const QUARTER_MS = 15 * 60_000;

/**
 * Returns the day of an instant in a time zone. Zones change their offset only at quarters of an hour, so results are cached per
 * quarter.
 */
export function dayReader(timezone: string): (at: number) => string {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
  });
  const known = new Map<number, string>();
  return (at) => {
    const quarter = Math.floor(at / QUARTER_MS);
    const found = known.get(quarter);
    if (found !== undefined) return found;
    const day = format.format(quarter * QUARTER_MS);
    known.set(quarter, day);
    return day;
  };
}
