const QUARTER_MS = 15 * 60_000;

/** Says in which day of a zone an instant lies. Clocks change on quarters of an hour, so that each is asked for once. */
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
