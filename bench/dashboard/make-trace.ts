import type { Stack } from '../../dev/stack.ts';
import { fillSpans } from '../telemetry/fill-telemetry.ts';

/** Spans below each span. */
const CHILDREN = 6;
const STEP_MS = 2;

/** Fills an environment with spans and makes one trace of all of them: a tree, whose spans begin one after the other. Returns its id. */
export async function makeTrace(stack: Stack, environmentId: string, spans: number): Promise<string> {
  const { until } = await fillSpans(stack, environmentId, spans);
  const start = until - 2 * spans * STEP_MS;
  const [row] = await stack.sql`
    with numbered as (
      select s.ctid as row_id, s.tableoid as part, row_number() over (order by start_nano) - 1 as n
      from spans s join environments e on e.key = s.environment_key
      where e.id = ${environmentId}
    ),
    moved as (
      update spans s
      set trace_id = md5('one trace')::uuid,
        parent_span_id = case when n > 0 then telemetry_hash('span ' || (n - 1) / ${CHILDREN}::bigint) end,
        start_nano = (${start}::bigint + n * ${STEP_MS}::bigint) * 1000000,
        duration_nano = case when n = 0 then ${2 * spans * STEP_MS}::bigint else 20 + n * 7919 % 997 end * 1000000,
        day = day_of_nano((${start}::bigint + n * ${STEP_MS}::bigint) * 1000000)
      from numbered
      where s.ctid = row_id and s.tableoid = part
      returning s.span_id
    )
    select count(*)::integer as moved, replace(md5('one trace')::uuid::text, '-', '') as "traceId" from moved`;
  if (row?.moved !== spans) throw new Error(`The trace has ${row?.moved} spans.`);
  return row.traceId;
}
