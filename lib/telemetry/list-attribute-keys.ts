import { queryTelemetry, type TelemetryContext } from './query-telemetry.ts';
import type { TelemetryRange } from './question-schemas.ts';
import { resolveRange } from './telemetry-range.ts';

/** Maximum number of spans or log records whose attributes are read. */
export const MAX_READ_FOR_KEYS = 5000;
const MAX_KEYS = 1000;

/**
 * The keys of the attributes of the newest 5,000 spans or log records of a range, at most 1,000. Throws `NOT_FOUND`, `VALIDATION_ERROR`. Reads
 * these rows, by `spans_time` or the primary key of logs.
 */
export async function listAttributeKeys(
  ctx: TelemetryContext,
  {
    signal,
    ...asked
  }: TelemetryRange & { projectId: string; environmentId: string; signal: 'traces' | 'logs' },
): Promise<string[]> {
  const { sql } = ctx;
  const instants = resolveRange(asked, ctx.now());
  const { fromNano, toNano, fromDay, toDay } = instants;
  const newest =
    signal === 'traces'
      ? sql`
        select attributes from spans
        where environment_key = (select key from environment) and start_nano >= ${fromNano}::bigint and start_nano < ${toNano}::bigint
          and day between ${fromDay}::date and ${toDay}::date
        order by start_nano desc limit ${MAX_READ_FOR_KEYS}`
      : sql`
        select attributes from logs
        where environment_key = (select key from environment) and time_nano >= ${fromNano}::bigint and time_nano < ${toNano}::bigint
          and day between ${fromDay}::date and ${toDay}::date
        order by time_nano desc limit ${MAX_READ_FOR_KEYS}`;
  const { items } = await queryTelemetry<{ key: string }>(
    ctx,
    asked,
    { instants, signal },
    sql`
      select distinct key from (${newest}) newest cross join lateral jsonb_object_keys(attributes) as keys(key)
      order by key limit ${MAX_KEYS}`,
  );
  return items.map(({ key }) => key);
}
