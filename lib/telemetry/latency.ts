/** Latencies as the sums of spans store them (schema/functions/telemetry-rollups.sql, `latency_bucket`): 8 buckets per doubling. */

/** A bucket number means the same duration everywhere. Each number appears once, in any order. */
export interface Latencies {
  buckets: readonly number[];
  counts: readonly number[];
}

/** The text of `meta.approximate` for latencies. */
export const LATENCIES_APPROXIMATE =
  'Percentiles are within 4.5 % of the exact ones: they are the middle of buckets, of which there are 8 to each doubling of the duration.';

/** The bucket of a duration in nanoseconds; the same as SQL's `latency_bucket`. */
export const latencyBucket = (nano: number): number =>
  nano < 1 ? 0 : 1 + Math.floor((8 * Math.log(nano)) / Math.log(2));

/** The least whole number of nanoseconds in a bucket. The bucket before ends right below it. */
export function latencyBucketStart(bucket: number): number {
  if (bucket === 0) return 0;
  let nano = Math.ceil(2 ** ((bucket - 1) / 8));
  while (nano > 1 && latencyBucket(nano - 1) >= bucket) nano -= 1;
  while (latencyBucket(nano) < bucket) nano += 1;
  return nano;
}

/** The middle of a bucket, in nanoseconds. */
const middleOf = (bucket: number): number => (bucket === 0 ? 0 : 2 ** ((bucket - 0.5) / 8));

/** The smallest latency that is at least as long as `share` (0 to 1) of all latencies, in milliseconds; null if there are none. */
export function percentileMs({ buckets, counts }: Latencies, share: number): number | null {
  const sorted = buckets
    .map((bucket, at) => ({ bucket, count: counts[at] ?? 0 }))
    .sort((a, b) => a.bucket - b.bucket);
  const total = sorted.reduce((sum, { count }) => sum + count, 0);
  const rank = Math.max(1, Math.ceil(share * total));
  let upTo = 0;
  for (const { bucket, count } of sorted) {
    upTo += count;
    if (upTo >= rank) return toMs(middleOf(bucket));
  }
  return null;
}

/** Nanoseconds as milliseconds, rounded to the microsecond. */
export const toMs = (nano: number): number => Math.round(nano / 1000) / 1000;
