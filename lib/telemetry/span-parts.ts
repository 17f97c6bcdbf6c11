import type { SpanRow } from '../otlp/rows.ts';
import { latencyBucket } from './latency.ts';

/**
 * A row of `span_parts` (schema/migrations/0010-telemetry-rollups.sql): a request's spans of one minute, resource, operation and
 * status. Entries have a row of their own.
 */
export interface SpanPart {
  /** The start of the minute, seconds since 1970. */
  minute: number;
  /** The same index as in `SpanRow`. */
  resource: number;
  operation: string;
  entry: boolean;
  status: number;
  spans: number;
  /** The start of the span that began last. */
  lastNano: string;
  /** The sum of all durations. */
  durationNano: string;
  /** Latency buckets that contain spans, each once. */
  buckets: number[];
  /** The number of spans in each of `buckets`. */
  counts: number[];
}

interface Sum extends Omit<SpanPart, 'durationNano' | 'buckets' | 'counts'> {
  duration: bigint;
  latencies: Map<number, number>;
}

const MAX_OPERATION = 256;
const SERVER = 2;
const CONSUMER = 5;

/** Sums the spans of a request into rows for the rollups. */
export function partsOf(spans: readonly SpanRow[]): SpanPart[] {
  const sums = new Map<string, Sum>();
  for (const span of spans) add(sumOf(sums, span), span);
  return [...sums.values()].map(({ duration, latencies, ...sum }) => ({
    ...sum,
    durationNano: String(duration),
    buckets: [...latencies.keys()],
    counts: [...latencies.values()],
  }));
}

function sumOf(sums: Map<string, Sum>, span: SpanRow): Sum {
  const { resource, name, statusCode: status, startNano: lastNano } = span;
  const minute = Math.floor(Number(lastNano.slice(0, -9)) / 60) * 60;
  const entry = span.kind === SERVER || span.kind === CONSUMER || span.parentSpanId === null;
  const operation = name.length > MAX_OPERATION ? [...name].slice(0, MAX_OPERATION).join('') : name;
  const key = `${minute} ${resource} ${status} ${entry} ${operation}`;
  const known = sums.get(key);
  if (known !== undefined) return known;
  const sum = {
    ...{ minute, resource, operation, entry, status, lastNano },
    ...{ spans: 0, duration: 0n, latencies: new Map() },
  };
  sums.set(key, sum);
  return sum;
}

function add(sum: Sum, { startNano, durationNano }: SpanRow): void {
  const bucket = latencyBucket(durationNano);
  sum.spans += 1;
  sum.duration += BigInt(durationNano);
  sum.latencies.set(bucket, (sum.latencies.get(bucket) ?? 0) + 1);
  if (isLater(startNano, sum.lastNano)) sum.lastNano = startNano;
}

/** Compares decimal numbers without leading zeros. */
const isLater = (one: string, other: string): boolean =>
  one.length === other.length ? one > other : one.length > other.length;
