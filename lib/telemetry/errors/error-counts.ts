import type { Fragment, Sql } from '../../db.ts';
import { type Instants, instantsOf } from '../telemetry-range.ts';
import type { ErrorGroup, ErrorState } from './error-schemas.ts';
import { titleOf } from './error-title.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const MAX_BY_HOUR_MS = 7 * DAY_MS;

/** The range in whole intervals, and their length. */
export interface Intervals {
  instants: Instants;
  unitMs: number;
}

export function intervalsOf({ fromMs, toMs }: Instants): Intervals {
  const unitMs = toMs - fromMs > MAX_BY_HOUR_MS ? DAY_MS : HOUR_MS;
  return {
    instants: instantsOf(Math.floor(fromMs / unitMs) * unitMs, Math.ceil(toMs / unitMs) * unitMs),
    unitMs,
  };
}

export const countedMeta = ({ instants, unitMs }: Intervals) => ({
  intervalSeconds: unitMs / 1000,
  countedFrom: new Date(instants.fromMs).toISOString(),
});

/** The hours of a range: a condition on a column `hour`. */
export const inHours = (sql: Sql, { fromMs, toMs }: Instants): Fragment => sql`
  hour >= ${new Date(fromMs).toISOString()}::timestamptz and hour < ${new Date(toMs).toISOString()}::timestamptz`;

/** A group as JSON, of a row with the columns of `error_groups`, as `grp`. */
export const groupAsJson = (
  sql: Sql,
  { instants, unitMs }: Intervals,
  release: string | undefined,
): Fragment => sql`
  jsonb_build_object('id', span_id_text(grp.id), 'service', grp.service, 'type', grp.type, 'cause', grp.cause, 'location', grp.location,
    'template', grp.template, 'state', grp.state, 'firstSeenAt', iso_of_nano(grp.first_nano), 'lastSeenAt', iso_of_nano(grp.last_nano),
    'firstRelease', grp.first_release, 'lastRelease', grp.last_release, 'returnedAt', wire_instant(grp.returned_at),
    'isNew', grp.first_nano >= ${instants.fromNano}::bigint, 'examples', grp.examples,
    'traces', (
      select known_sum(array_agg(traces)) from error_hours h
      where h.environment_key = grp.environment_key and h.id = grp.id and ${inHours(sql, instants)}
        and (${release ?? null}::text is null or h.release = ${release ?? null})),
    'starts', (
      select coalesce(jsonb_object_agg(start, n), '{}') from (
        select (extract(epoch from date_trunc(${unitMs === HOUR_MS ? 'hour' : 'day'}, hour, 'UTC')) * 1000)::bigint as start,
          sum(occurrences) as n
        from error_hours h where h.environment_key = grp.environment_key and h.id = grp.id and ${inHours(sql, instants)}
          and (${release ?? null}::text is null or h.release = ${release ?? null})
        group by 1
      ) intervals))`;

/** A group as `groupAsJson` reads it. An empty text is what isn't known. */
export interface ReadGroup {
  id: string;
  service: string;
  type: string;
  cause: string;
  location: string;
  template: string;
  state: ErrorState;
  firstSeenAt: string;
  lastSeenAt: string;
  firstRelease: string;
  lastRelease: string;
  returnedAt: string | null;
  isNew: boolean;
  traces: number | null;
  examples: { time: string; trace: string | null; span: string | null }[];
  /** How often it occurred, by the beginning of each interval. */
  starts: Record<string, number>;
}

export function toGroup(
  { starts, examples, ...group }: ReadGroup,
  { instants, unitMs }: Intervals,
): ErrorGroup {
  const counts = Array.from(
    { length: (instants.toMs - instants.fromMs) / unitMs },
    (_, n) => starts[instants.fromMs + n * unitMs] ?? 0,
  );
  return {
    ...group,
    title: titleOf(group),
    service: group.service || null,
    type: group.type || null,
    cause: group.cause || null,
    location: group.location || null,
    template: group.template || null,
    firstRelease: group.firstRelease || null,
    lastRelease: group.lastRelease || null,
    occurrences: counts.reduce((sum, n) => sum + n, 0),
    counts,
    example: examples.map(toExample)[0] ?? null,
  };
}

export const toExample = ({ time, trace, span }: ReadGroup['examples'][number]) => ({
  time: new Date(Number(time.slice(0, -6))).toISOString(),
  traceId: trace,
  spanId: span,
});

/** Up to when errors are in their groups: the first receipt that isn't. By error_parts_hour. */
export const summedUpTo = (sql: Sql): Fragment => sql`(
  select min(received_at) from error_parts where environment_key = environment.key)`;
