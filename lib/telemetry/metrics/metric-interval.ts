import { DomainError } from '../../errors.ts';
import { type Instants, instantsOf } from '../telemetry-range.ts';

const MINUTE_MS = 60_000;
/** Maximum number of buckets in an answer. */
export const MAX_BUCKETS = 500;

export const INTERVALS = ['1m', '5m', '15m', '1h', '6h', '1d'] as const;
export type MetricInterval = (typeof INTERVALS)[number];
export const INTERVAL_SECONDS: Record<MetricInterval, number> = {
  '1m': 60,
  '5m': 300,
  '15m': 900,
  '1h': 3600,
  '6h': 21_600,
  '1d': 86_400,
};

/** Buckets [fromMs + i * width, + width), aligned to 1970 in UTC; the last one ends with the range. */
export interface Buckets {
  instants: Instants;
  seconds: number;
  count: number;
}

/**
 * The buckets of a range: the first contains the range's first instant, the last ends with the minute of the range's last instant.
 * Without an interval, uses the shortest one that makes at most 500 buckets (`chooseBuckets` of read-metric.ts may take a longer one). Throws `VALIDATION_ERROR` for more buckets.
 */
export function bucketsOf(asked: Instants, interval: MetricInterval | undefined): Buckets {
  const tried = interval === undefined ? INTERVALS : [interval];
  for (const width of tried) {
    const buckets = alignTo(asked, INTERVAL_SECONDS[width]);
    if (buckets.count <= MAX_BUCKETS) return buckets;
  }
  throw new DomainError('VALIDATION_ERROR', 'The range has too many intervals.', {
    details: [{ path: 'interval', message: `must divide the range into at most ${MAX_BUCKETS}` }],
  });
}

function alignTo({ fromMs, toMs }: Instants, seconds: number): Buckets {
  const widthMs = seconds * 1000;
  const first = Math.floor(fromMs / widthMs) * widthMs;
  const end = Math.ceil(toMs / MINUTE_MS) * MINUTE_MS;
  return { instants: instantsOf(first, end), seconds, count: Math.ceil((end - first) / widthMs) };
}

/** The length of a bucket in seconds, until the range's end or now, whichever is earlier; at least one. */
export function secondsOf({ instants, seconds }: Buckets, bucket: number, now: number): number {
  const start = instants.fromMs + bucket * seconds * 1000;
  return Math.max(1, (Math.min(start + seconds * 1000, instants.toMs, now) - start) / 1000);
}
