import type { IngestContext } from '../context.ts';
import { reach } from '../db.ts';
import type { MetricBatch, MetricRow, PartialSuccess } from '../otlp/rows.ts';
import { keepTimely } from './kept-days.ts';
import { type Sized, storeBatch, type Verdict } from './store-batch.ts';

/**
 * Stores the data points of a request. Points that are already stored stay as they are (docs/telemetry.md#stored-once). One statement,
 * like `storeTraces`. Attributes tell series apart, so none is ever left out of a point.
 */
export async function storeMetrics(
  ctx: IngestContext,
  { metrics, points, partial: before, ...batch }: Sized<MetricBatch>,
): Promise<PartialSuccess | undefined> {
  const now = ctx.now();
  const { rows, days, partial } = keepTimely(points, (point) => point.timeNano, before, now);
  const instant = new Date(now).toISOString();
  return storeBatch(
    { ...batch, rows, partial },
    {
      cuts: false,
      originOf: (point) => metrics[point.metric] as MetricRow,
      store: async ({ rows: piece, ...others }) => {
        const text = JSON.stringify({ ...others, metrics, points: piece });
        const [row] = await reach(ctx.sql`
          select store_metrics(${ctx.actor.environmentKey}, ${text}::jsonb, ${days}::date[], ${instant}::timestamptz) as verdict
        `);
        return row?.verdict as Verdict;
      },
    },
  );
}
