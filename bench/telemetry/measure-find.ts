import type { Stack } from '../../dev/stack.ts';
import { findTraces } from '../../lib/telemetry/find-traces.ts';
import { getTrace } from '../../lib/telemetry/get-trace.ts';
import type { TelemetryContext } from '../../lib/telemetry/query-telemetry.ts';
import { rollUpSpans } from '../../lib/telemetry/roll-up-spans.ts';
import { summarizeService } from '../../lib/telemetry/summarize-service.ts';
import { addIngestKey } from '../../tests/security/session.ts';
import { createTenant } from '../../tests/security/tenant.ts';
import { median } from '../median.ts';
import { fillSpans, RARE_EVERY, SPANS_A_TRACE } from './fill-telemetry.ts';

const RUNS = 21;

export interface Found {
  what: string;
  ms: number;
  aim: string;
}

/** Median times of the verbs on a day with this number of spans, including the round trip through the local endpoint. */
export async function measureFinding(
  stack: Stack,
  spans: number,
): Promise<{ found: Found[]; bytes: number }> {
  const { sql } = stack;
  const { userId, projectId } = await createTenant(sql);
  const { environmentId } = await addIngestKey(sql, projectId);
  const { until } = await fillSpans(stack, environmentId, spans);
  const ctx: TelemetryContext = { sql, now: () => until, actor: { kind: 'session', sessionId: '', userId } };
  const ids = { projectId, environmentId };
  await rollUpSpans({ sql, now: () => until });
  await stack.neon.exec('vacuum analyze spans');

  const nothing = { attributes: {}, resource: {} };
  const [trace] =
    await sql`select replace(md5('trace ' || ${Math.floor(spans / 2 / SPANS_A_TRACE)}::bigint)::uuid::text, '-', '') as id`;
  // The spans of the last hour have the highest numbers.
  const rare = `c-${Math.floor((spans - spans / 48) / RARE_EVERY)}`;
  const hour = { period: '1h' } as const;
  const day = { period: '24h' } as const;
  const find = (range: typeof hour | typeof day, filters: object) => async () =>
    (await findTraces(ctx, { ...ids, ...range, ...nothing, ...filters, limit: 50 })).data.length;
  const asked: [string, string, () => Promise<number>][] = [
    [
      'a trace by its id',
      '5 ms',
      async () => (await getTrace(ctx, { ...ids, traceId: trace?.id })).data.spans.length,
    ],
    ['the newest 50 errors', '20 ms', find(day, { status: 'error' })],
    [
      'a service’s summary, 24 hours',
      '50 ms',
      async () => {
        const { data } = await summarizeService(ctx, { ...ids, ...day, service: 'service-2', limit: 50 });
        return data === null ? 0 : 1;
      },
    ],
    ['traces by an attribute, 1 hour', '100 ms', find(hour, { attributes: { customer: rare } })],
    ['the newest 50 traces', '', find(day, {})],
    ['traces of a service slower than 0.2 s', '', find(day, { service: 'service-2', minDurationMs: 200 })],
  ];
  const found: Found[] = [];
  for (const [what, aim, ask] of asked) found.push({ what, aim, ms: await time(what, ask) });
  const [size] = await sql`
    select sum(pg_total_relation_size(inhrelid))::float8 / ${spans} as bytes from pg_inherits where inhparent = 'spans'::regclass`;
  return { found, bytes: size?.bytes };
}

async function time(what: string, ask: () => Promise<number>): Promise<number> {
  if ((await ask()) === 0) throw new Error(`${what}: nothing was found`);
  const took: number[] = [];
  for (let run = 0; run < RUNS; run += 1) {
    const start = performance.now();
    await ask();
    took.push(performance.now() - start);
  }
  return median(took);
}
