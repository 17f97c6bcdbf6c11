import { LATENCIES_APPROXIMATE, type Latencies, latencyBucketStart, percentileMs } from './latency.ts';
import { type Answer, queryTelemetry, type TelemetryContext } from './query-telemetry.ts';
import type { LatencyHistogram, ReadLatencies } from './span-schemas.ts';
import { spanSums, wholeMinutes } from './span-sums.ts';
import { resolveRange } from './telemetry-range.ts';

interface Row extends Latencies {
  /** Entries with status error, by bucket as `counts`. */
  errors: number[];
}

/**
 * How long the entries of a service, or of one of its operations, took in a range. Null if no span of the service, or of the operation,
 * was observed. Throws `NOT_FOUND`, `VALIDATION_ERROR`.
 *
 * Reads only sums, as `summarizeService`: by environment and minute of the keys, one row per operation, status and hour, of ranges that
 * begin or end within an hour also per minute. The answer has at most 424 buckets.
 */
export async function readLatencies(
  ctx: TelemetryContext,
  { service, operation, ...asked }: ReadLatencies,
): Promise<Answer<LatencyHistogram | null>> {
  const instants = wholeMinutes(resolveRange(asked, ctx.now()));
  const { items, meta } = await queryTelemetry<Row>(
    ctx,
    asked,
    { instants, signal: 'traces', filters: { service, operation }, approximate: LATENCIES_APPROXIMATE },
    ctx.sql`
      with sums as materialized (${spanSums(ctx.sql, instants, { service, operation })}), cell as (
        select bucket, sum(held.spans) as entries, coalesce(sum(held.spans) filter (where status = 2), 0) as errors
        from sums cross join unnest(buckets, counts) as held(bucket, spans)
        where entry group by bucket
      )
      select coalesce(jsonb_agg(bucket order by bucket), '[]') as buckets,
        coalesce(jsonb_agg(entries order by bucket), '[]') as counts,
        coalesce(jsonb_agg(errors order by bucket), '[]') as errors
      from cell having exists (select from sums)
    `,
  );
  const [row] = items;
  if (row === undefined) return { data: null, meta };
  const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
  return {
    data: {
      ...{ service, operation: operation ?? null, entries: total(row.counts), errors: total(row.errors) },
      p50Ms: percentileMs(row, 0.5),
      p95Ms: percentileMs(row, 0.95),
      p99Ms: percentileMs(row, 0.99),
      buckets: everyBucket(row),
    },
    meta,
  };
}

/** The buckets from the first to the last that has entries, with those between that have none. */
function everyBucket({ buckets, counts, errors }: Row): LatencyHistogram['buckets'] {
  const [first = 0] = buckets;
  const last = buckets.at(-1) ?? -1;
  return Array.from({ length: last - first + 1 }, (_, n) => {
    const at = buckets.indexOf(first + n);
    return {
      fromMs: latencyBucketStart(first + n) / 1e6,
      toMs: latencyBucketStart(first + n + 1) / 1e6,
      entries: counts[at] ?? 0,
      errors: errors[at] ?? 0,
    };
  });
}
