import type { IngestContext } from '../context.ts';
import { reach } from '../db.ts';
import type { MetricBatch, PartialSuccess } from '../otlp/rows.ts';
import { keepTimely } from './kept-days.ts';
import { inPieces } from './store-in-pieces.ts';

/**
 * Stores the data points of a request. Points that are already stored stay as they are (docs/telemetry.md#stored-once). One statement,
 * like `storeTraces`.
 */
export async function storeMetrics(
  ctx: IngestContext,
  { resources, scopes, metrics, points, partial }: MetricBatch,
): Promise<PartialSuccess | undefined> {
  const now = ctx.now();
  const timely = keepTimely(points, (point) => point.timeNano, partial, now);
  const instant = new Date(now).toISOString();
  await inPieces(timely.rows, (piece) => {
    const batch = JSON.stringify({ resources, scopes, metrics, points: piece });
    return reach(ctx.sql`
      select store_metrics(${ctx.actor.environmentKey}, ${batch}::jsonb, ${timely.days}::date[], ${instant}::timestamptz)
    `);
  });
  return timely.partial;
}
