import type { Fragment, Sql } from '../db.ts';
import { type Instants, instantsOf } from './telemetry-range.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;

/** The range widened to whole minutes: sums exist only for whole minutes. */
export const wholeMinutes = ({ fromMs, toMs }: Instants): Instants =>
  instantsOf(Math.floor(fromMs / MINUTE_MS) * MINUTE_MS, Math.ceil(toMs / MINUTE_MS) * MINUTE_MS);

/** Which sums to read. */
export interface SumsOf {
  service?: string | undefined;
  /** As the sums name it: the first 256 characters, or `(other operations)`. */
  operation?: string | undefined;
  /** Read minutes even where hours would be enough, for callers that need each minute. */
  minutesOnly?: boolean;
}

/**
 * Rows with the sums of spans (schema/migrations/0010-telemetry-rollups.sql) for a range of whole minutes. For a sum of a whole hour,
 * `minute` is the hour's first minute. Uses the keys, which begin with environment and minute; cost grows with operations times hours,
 * plus at most 118 minutes.
 */
export const spanSums = (
  sql: Sql,
  { fromMs, toMs }: Instants,
  { service, operation, minutesOnly = false }: SumsOf = {},
): Fragment => {
  const hoursFrom = Math.ceil(fromMs / HOUR_MS) * HOUR_MS;
  const hoursTo = Math.floor(toMs / HOUR_MS) * HOUR_MS;
  const isByHour = !minutesOnly && hoursFrom < hoursTo;
  // Without a whole hour the two ranges of minutes meet.
  const [from, early, late, to] = [fromMs, isByHour ? hoursFrom : toMs, isByHour ? hoursTo : toMs, toMs].map(
    (ms) => new Date(ms).toISOString(),
  );
  const of = sql`environment_key = (select key from environment) and (${service ?? null}::text is null or service = ${service ?? null})
    and (${operation ?? null}::text is null or operation = ${operation ?? null})`;
  const columns = sql`minute, service, operation, entry, status, spans, last_nano, duration_nano, buckets, counts`;
  return sql`
    select ${columns} from span_parts where ${of} and minute >= ${from}::timestamptz and minute < ${to}::timestamptz
    union all
    select ${columns} from span_minutes where ${of} and minute >= ${from}::timestamptz and minute < ${early}::timestamptz
    union all
    select ${columns} from span_minutes where ${of} and minute >= ${late}::timestamptz and minute < ${to}::timestamptz
    union all
    select ${columns} from span_hours where ${of} and minute >= ${early}::timestamptz and minute < ${late}::timestamptz`;
};
