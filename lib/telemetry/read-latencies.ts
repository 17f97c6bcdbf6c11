import { LATENCIES_APPROXIMATE, latencyBucketStart, percentileMs } from './latency.ts';
import { type Answer, queryTelemetry, type TelemetryContext } from './query-telemetry.ts';
import { intervalsOf, needsMinutes, perInterval, refusedInterval } from './span-intervals.ts';
import { type LatencyHistogram, MAX_LATENCY_CELLS, type ReadLatencies } from './span-schemas.ts';
import { spanSums, wholeMinutes } from './span-sums.ts';
import { type ObservedHours, selectHours, wasObservedIn } from './telemetry-coverage.ts';
import { resolveRange } from './telemetry-range.ts';

/** The entries of an interval by bucket, without buckets that have none. */
interface Slot {
  /** The number of the interval; 0 if none are asked for. */
  time: number;
  buckets: number[];
  entries: number[];
  errors: number[];
}

/**
 * How long the entries of a service, or of one of its operations, took in a range, with `interval` also over time. Null if no span of
 * the service, or of the operation, was observed. Throws `NOT_FOUND`, `VALIDATION_ERROR` for over 500 intervals, or for over 100,000
 * intervals times buckets.
 *
 * Reads only sums, as `summarizeService`: by environment and minute of the keys, one row per operation, status and hour, of ranges that
 * begin or end within an hour, and of intervals under an hour, also per minute. The answer has at most 424 buckets.
 * Of 29,000 sums of minutes, each of 40 buckets, in intervals of 15 minutes: 0.7 s (PostgreSQL 15, two shared cores), a quarter of what
 * `summarizeService` takes for them.
 */
export async function readLatencies(
  ctx: TelemetryContext,
  { service, operation, interval, ...asked }: ReadLatencies,
): Promise<Answer<LatencyHistogram | null>> {
  const instants = wholeMinutes(resolveRange(asked, ctx.now()));
  const intervals = intervalsOf(instants, interval);
  const { items, meta } = await queryTelemetry<{ slots: Slot[]; observed: ObservedHours }>(
    ctx,
    asked,
    {
      ...{ instants, signal: 'traces', approximate: LATENCIES_APPROXIMATE },
      filters: { service, operation, interval },
    },
    ctx.sql`
      with sums as materialized (
        select *, coalesce(floor(extract(epoch from minute) / ${intervals?.seconds ?? null}::integer), 0)::bigint as time
        from (${spanSums(ctx.sql, instants, { service, operation, minutesOnly: needsMinutes(intervals) })}) sum
      ), cell as (
        select time, bucket, sum(held.spans) as entries, coalesce(sum(held.spans) filter (where status = 2), 0) as errors
        from sums cross join unnest(buckets, counts) as held(bucket, spans)
        where entry group by time, bucket
      ), slot as (
        select time, jsonb_agg(bucket) as buckets, jsonb_agg(entries) as entries, jsonb_agg(errors) as errors from cell group by time
      )
      select coalesce(jsonb_agg(to_jsonb(slot)), '[]') as slots,
        (select to_jsonb(noted) from (${selectHours(ctx.sql, instants)}) noted) as observed
      from slot having exists (select from sums)
    `,
  );
  const [row] = items;
  if (row === undefined) return { data: null, meta };
  const buckets = everyBucket(row.slots);
  if (intervals !== undefined && intervals.count * buckets.length > MAX_LATENCY_CELLS)
    throw refusedInterval(
      `The answer has ${intervals.count} intervals of ${buckets.length} buckets.`,
      `at most ${MAX_LATENCY_CELLS} intervals times buckets fit`,
    );
  const latencies = {
    buckets: buckets.map(({ bucket }) => bucket),
    counts: buckets.map(({ entries }) => entries),
  };
  const slots = new Map(row.slots.map((slot) => [slot.time, slot]));
  return {
    data: {
      ...{ service, operation: operation ?? null, entries: total(latencies.counts) },
      errors: total(buckets.map(({ errors }) => errors)),
      p50Ms: percentileMs(latencies, 0.5),
      p95Ms: percentileMs(latencies, 0.95),
      p99Ms: percentileMs(latencies, 0.99),
      buckets: buckets.map(({ bucket, entries, errors }) => ({
        fromMs: latencyBucketStart(bucket) / 1e6,
        toMs: latencyBucketStart(bucket + 1) / 1e6,
        ...{ entries, errors },
      })),
      ...(intervals !== undefined && {
        intervals: perInterval(intervals, (number, begin) => ({
          time: new Date(begin).toISOString(),
          observed:
            slots.has(number) ||
            wasObservedIn(row.observed, { beginMs: begin, lengthMs: intervals.seconds * 1000 }),
          ...spread(slots.get(number), buckets),
        })),
      }),
    },
    meta,
  };
}

interface Bucket {
  bucket: number;
  entries: number;
  errors: number;
}

const total = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);

/** The buckets from the first to the last that has entries, with those between that have none. */
function everyBucket(slots: readonly Slot[]): Bucket[] {
  const sums = new Map<number, Bucket>();
  for (const { buckets, entries, errors } of slots)
    for (const [at, bucket] of buckets.entries()) {
      const sum = sums.get(bucket) ?? { bucket, entries: 0, errors: 0 };
      sum.entries += entries[at] ?? 0;
      sum.errors += errors[at] ?? 0;
      sums.set(bucket, sum);
    }
  if (sums.size === 0) return [];
  const [first, last] = [Math.min(...sums.keys()), Math.max(...sums.keys())];
  return Array.from(
    { length: last - first + 1 },
    (_, n) => sums.get(first + n) ?? { bucket: first + n, entries: 0, errors: 0 },
  );
}

/** A number for each bucket. */
function spread(slot: Slot | undefined, buckets: readonly Bucket[]): Record<'entries' | 'errors', number[]> {
  const [entries, errors] = [buckets.map(() => 0), buckets.map(() => 0)];
  const first = buckets[0]?.bucket ?? 0;
  for (const [at, bucket] of slot?.buckets.entries() ?? []) {
    entries[bucket - first] = slot?.entries[at] ?? 0;
    errors[bucket - first] = slot?.errors[at] ?? 0;
  }
  return { entries, errors };
}
