import { LATENCIES_APPROXIMATE, type Latencies, percentileMs, toMs } from './latency.ts';
import { type Answer, queryTelemetry, type TelemetryContext } from './query-telemetry.ts';
import { intervalsOf, needsMinutes, perInterval } from './span-intervals.ts';
import type { OperationSort, Performance, ServiceSummary, SummarizeService } from './span-schemas.ts';
import { spanSums, wholeMinutes } from './span-sums.ts';
import { type ObservedHours, selectHours, wasObservedIn } from './telemetry-coverage.ts';
import { resolveRange } from './telemetry-range.ts';

interface Sums extends Latencies {
  entries: number;
  errors: number;
  duration_nano: number;
}

interface Row {
  spans: number;
  last_seen_at: string;
  operation_count: number;
  total: Sums | null;
  operations: (Sums & { operation: string })[];
  intervals: (Sums & { time: number })[];
  observed: ObservedHours;
}

/** By default the most frequent operations come first. */
type AskedSummary = Omit<SummarizeService, 'sort'> & { sort?: OperationSort };

/**
 * How the entries of a service performed in a range, in total and by operation. Null if no span of the service was observed, which is
 * not the same as an idle service. Latencies are milliseconds. Throws `NOT_FOUND`, `VALIDATION_ERROR` for over 500 intervals.
 *
 * Sorted by other figures than `entries` it reads the same, and takes all operations out of the database.
 *
 * Reads only sums, by environment and minute of the keys: one row per operation, status and hour of the service, and one index entry
 * for each row of other services.
 */
export async function summarizeService(
  ctx: TelemetryContext,
  { service, interval, limit, sort = 'entries', ...asked }: AskedSummary,
): Promise<Answer<ServiceSummary | null>> {
  const instants = wholeMinutes(resolveRange(asked, ctx.now()));
  const { fromMs, toMs: end } = instants;
  const intervals = intervalsOf(instants, interval);
  const seconds = (Math.min(end, ctx.now()) - fromMs) / 1000;

  const { items, meta } = await queryTelemetry<Row>(
    ctx,
    asked,
    { instants, signal: 'traces', filters: { service, interval }, approximate: LATENCIES_APPROXIMATE },
    ctx.sql`
      with sums as materialized (${spanSums(ctx.sql, instants, { service, minutesOnly: needsMinutes(intervals) })}),
      entry as (
        select *, floor(extract(epoch from minute) / ${intervals?.seconds ?? 1}::integer)::bigint as time from sums where entry
      ), cell as (
        select operation, time, bucket, grouping(operation, time) as level, sum(held.spans) as spans
        from entry cross join unnest(buckets, counts) as held(bucket, spans)
        group by grouping sets ((bucket), (operation, bucket), (time, bucket))
      ), latencies as (
        select level, operation, time, jsonb_agg(bucket) as buckets, jsonb_agg(spans) as counts from cell group by level, operation, time
      ), total as (
        select operation, time, grouping(operation, time) as level, sum(spans) as entries,
          coalesce(sum(spans) filter (where status = 2), 0) as errors, sum(duration_nano) as duration_nano
        from entry group by grouping sets ((), (operation), (time))
      ), performance as (
        select level, total.operation, total.time, to_jsonb(total) || jsonb_build_object('buckets', buckets, 'counts', counts) as item,
          row_number() over (partition by level order by entries desc, total.operation) as rank
        from total join latencies using (level)
        where total.operation is not distinct from latencies.operation and total.time is not distinct from latencies.time
      )
      select sum(spans) as spans, iso_of_nano(max(last_nano)) as last_seen_at,
        (select count(*) from performance where level = 1) as operation_count,
        (select item from performance where level = 3) as total,
        (select coalesce(jsonb_agg(item order by rank), '[]') from performance
          where level = 1 and (rank <= ${limit} or ${sort !== 'entries'})) as operations,
        (select coalesce(jsonb_agg(item), '[]') from performance where level = 2 and ${intervals !== undefined}) as intervals,
        (select to_jsonb(noted) from (${selectHours(ctx.sql, instants)}) noted) as observed
      from sums having count(*) > 0
    `,
  );
  const [row] = items;
  if (row === undefined) return { data: null, meta };
  const operations = row.operations
    .map((sums) => ({ operation: sums.operation, ...performanceOf(sums, seconds) }))
    .sort((a, b) => (b[sort] ?? -1) - (a[sort] ?? -1) || b.entries - a.entries)
    .slice(0, limit);
  return {
    data: {
      service,
      spans: row.spans,
      lastSeenAt: row.last_seen_at,
      ...performanceOf(row.total, seconds),
      operations,
      moreOperations: row.operation_count - operations.length,
      ...(intervals !== undefined && {
        intervals: perInterval(intervals, (number, begin) => {
          const sums = row.intervals.find(({ time }) => time === number) ?? null;
          // Only a part of the first and of the last interval may lie in the range.
          const observed =
            Math.min(begin + intervals.seconds * 1000, end, ctx.now()) - Math.max(begin, fromMs);
          const at = { beginMs: begin, lengthMs: intervals.seconds * 1000 };
          return {
            time: new Date(begin).toISOString(),
            observed: sums !== null || wasObservedIn(row.observed, at),
            ...performanceOf(sums, observed / 1000),
          };
        }),
      }),
    },
    meta,
  };
}

function performanceOf(sums: Sums | null, seconds: number): Performance {
  const { entries = 0, errors = 0, duration_nano = 0 } = sums ?? {};
  const latencies = sums ?? { buckets: [], counts: [] };
  const meanMs = entries === 0 ? null : toMs(duration_nano / entries);
  return {
    entries,
    ratePerSecond: seconds > 0 ? Math.round((entries / seconds) * 1e6) / 1e6 : 0,
    errors,
    errorRate: entries === 0 ? null : errors / entries,
    meanMs,
    p50Ms: percentileMs(latencies, 0.5),
    p95Ms: percentileMs(latencies, 0.95),
    p99Ms: percentileMs(latencies, 0.99),
    // The middle of a bucket may be below the mean, which is exact; the slowest never is.
    maxMs: meanMs === null ? null : Math.max(percentileMs(latencies, 1) ?? 0, meanMs),
  };
}
