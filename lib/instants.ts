/** Instants that callers send, as RFC 3339 writes them. */

const RFC_3339 =
  /^(\d{4})-(\d{2})-(\d{2})T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-](?:[01]\d|2[0-3]):[0-5]\d)$/;

/** Nanoseconds since 1970 fit a `bigint` of the database until 2262. */
const LAST_MS = Date.UTC(2200, 0, 1);

/** Epoch milliseconds; undefined for text that isn't RFC 3339 or names a day that the calendar lacks. */
function parseInstant(text: string): number | undefined {
  const [, year = '', month = '', day = ''] = RFC_3339.exec(text) ?? [];
  if (day === '') return undefined;
  // `Date` takes 31 February for a day in March. Of years before 100 it makes years of the 20th century.
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  const ms = Date.parse(text);
  return Number.isNaN(ms) ? undefined : ms;
}

export const isInstant = (text: string): boolean => parseInstant(text) !== undefined;

/** Whether an instant lies in the years 1970 to 2199. The database and JavaScript agree on these, in every unit. */
export function isInRange(text: string): boolean {
  const ms = parseInstant(text);
  return ms !== undefined && ms >= 0 && ms < LAST_MS;
}

export const INSTANT_RULE = 'must be an instant as 2026-11-21T09:00:00Z';
export const YEARS_RULE = 'must be of the years 1970 to 2199';
