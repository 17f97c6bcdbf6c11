import type { IngestContext } from '../../../lib/context.ts';
import type { Sql } from '../../../lib/db.ts';
import { recordOutcomes } from '../../../lib/outcomes/record-outcomes.ts';
import { storeLogs } from '../../../lib/telemetry/store-logs.ts';
import { storeMetrics } from '../../../lib/telemetry/store-metrics.ts';
import { storeTraces } from '../../../lib/telemetry/store-traces.ts';
import { inSteps } from '../in-steps.ts';
import { generateBackendDay, type Order } from './backend-day.ts';
import { RESOURCES, SCOPES } from './shop-requests.ts';

const DAY_MS = 86_400_000;

/** Acts like an ingest key of the environment. */
export async function demoSender(
  sql: Sql,
  ids: { projectId: string; environmentId: string },
): Promise<IngestContext> {
  const [environment] = await sql`
    select key, coalesce((select id from ingest_keys where environment_id = environments.id limit 1), gen_random_uuid()) as key_id
    from environments where id = ${ids.environmentId}`;
  const actor = {
    kind: 'ingestKey',
    keyId: environment?.key_id,
    environmentKey: environment?.key,
    outcomes: true,
    ...ids,
  } as const;
  return { sql, now: Date.now, actor };
}

export interface BackendOptions {
  ctx: IngestContext;
  days: number;
  seed: number;
  /** Called after each day. */
  onDay: (progress: { day: number; of: number }) => void;
}

/**
 * Stores generated telemetry of the last days up to now, as the receiver would have. A day is the same for each call, so filling again
 * stores nothing twice. Returns the number of spans.
 */
export async function fillBackend({ ctx, days, seed, onDay }: BackendOptions): Promise<number> {
  const now = ctx.now();
  const today = now - (now % DAY_MS);
  const shared = { resources: RESOURCES, scopes: SCOPES, bytes: 0, partial: undefined };
  let total = 0;
  for (let index = 0; index < days; index += 1) {
    const day = today - (days - 1 - index) * DAY_MS;
    const { spans, logs, metrics, points, orders } = generateBackendDay(seed, day, now);
    await inSteps(spans, (some) => storeTraces(ctx, { ...shared, spans: some }));
    await inSteps(logs, (some) => storeLogs(ctx, { ...shared, logs: some }));
    await inSteps(points, (some) => storeMetrics(ctx, { ...shared, metrics, points: some }));
    const outcomes = orders.filter(({ isPaid }) => isPaid).map(toOutcome);
    await recordOutcomes({ ...ctx, requestId: 'demo' }, { outcomes });
    total += spans.length;
    onDay({ day: index + 1, of: days });
  }
  return total;
}

/** Records the outcomes as the shop's backend would: an order was paid. */
const toOutcome = ({ orderId, endMs, amount, traceId, spanId }: Order) => ({
  source: 'shop',
  domainEventId: orderId,
  type: 'order.paid',
  occurredAt: new Date(endMs).toISOString(),
  value: { amount, currency: 'EUR' },
  traceId,
  spanId,
});
