/** Buckets of durations, as the drawings of latencies share them. */
import type { LatencyHistogram } from '../../api/operations.generated.ts';
import { milliseconds } from '../../format.ts';
import { type Changes, type EnvironmentIds, keptRange, viewHref } from '../../state/telemetry-query.ts';

export type Bucket = LatencyHistogram['buckets'][number];

/** How many neighbours are put together, so that at most `most` are left: 1, 2, 4, … */
export const together = (count: number, most: number): number =>
  2 ** Math.max(0, Math.ceil(Math.log2(count / most)));

/** Groups of `size`. The first one is `skipped` shorter. */
export const grouped = <Item>(items: readonly Item[], size: number, skipped = 0): Item[][] =>
  Array.from({ length: Math.ceil((items.length + skipped) / size) }, (_, n) =>
    items.slice(Math.max(0, n * size - skipped), (n + 1) * size - skipped),
  );

export const sumOf = (numbers: readonly number[]): number => numbers.reduce((sum, number) => sum + number, 0);

/** Buckets put together. */
export const merged = (buckets: readonly Bucket[], size: number): Bucket[] =>
  grouped(buckets, size).map((some) => ({
    fromMs: some[0]?.fromMs ?? 0,
    toMs: some.at(-1)?.toMs ?? 0,
    entries: sumOf(some.map(({ entries }) => entries)),
    errors: sumOf(some.map(({ errors }) => errors)),
  }));

export const rangeOf = ({ fromMs, toMs }: Bucket): string =>
  `${milliseconds(fromMs)} – ${milliseconds(toMs)}`;

/** How many buckets, with a fraction, lie below a duration. Their widths are ratios. */
export function positionOf(ms: number, buckets: readonly Bucket[]): number {
  const index = buckets.findIndex(({ toMs }) => ms < toMs);
  const bucket = buckets[index];
  if (bucket === undefined) return buckets.length;
  const { fromMs, toMs } = bucket;
  return index + (fromMs > 0 ? Math.log(ms / fromMs) / Math.log(toMs / fromMs) : 0.5);
}

/** The address of the traces whose spans took as long as these buckets. */
export const tracesHref = (
  environment: EnvironmentIds,
  fields: Readonly<Record<string, string>>,
  { service, operation }: LatencyHistogram,
  [first, last]: readonly [Bucket, Bucket],
  range: Changes = keptRange(fields),
): string =>
  viewHref(environment, 'traces', {
    ...range,
    ...{ service, operation: operation ?? undefined },
    minDurationMs: String(first.fromMs),
    // The search takes the longest duration itself.
    maxDurationMs: String(Math.round(last.toMs * 1e6 - 1) / 1e6),
  });
