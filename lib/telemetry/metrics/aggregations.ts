import { DomainError } from '../../errors.ts';
import type { MetricType } from '../../otlp/rows.ts';

export const AGGREGATIONS = ['sum', 'avg', 'min', 'max', 'rate', 'p50', 'p95', 'p99'] as const;
export type Aggregation = (typeof AGGREGATIONS)[number];

/** What the series of a metric have in common, with their temporalities: 0 unspecified, 1 delta, 2 cumulative. */
export interface MetricKind {
  type: MetricType;
  unit: string;
  monotonic: boolean;
  temporalities: readonly number[];
}

const UNSPECIFIED = 0;
const DELTA = 1;
const CUMULATIVE = 2;
const PERCENTILES = { p50: 0.5, p95: 0.95, p99: 0.99 } as const;

export type Percentile = keyof typeof PERCENTILES;

export const isPercentile = (aggregation: Aggregation): aggregation is Percentile =>
  aggregation in PERCENTILES;

/** The percentile as a share, 0 to 1. */
export const quantileOf = (percentile: Percentile): number => PERCENTILES[percentile];

/** The aggregations that have a meaning for a metric. docs/metrics-and-logs.md defines each of them for each type. */
export function suitableFor({ type, monotonic, temporalities }: MetricKind): readonly Aggregation[] {
  switch (type) {
    case 'gauge':
      return LEVELS;
    case 'sum': {
      const adds = temporalities.map(
        (temporality) => temporality === DELTA || (monotonic && temporality === CUMULATIVE),
      );
      if (adds.every(Boolean)) return ['sum', 'rate'];
      return adds.some(Boolean) ? [] : LEVELS;
    }
    case 'histogram':
    case 'exponentialHistogram':
      if (temporalities.includes(UNSPECIFIED)) return [];
      // A cumulative series has its minimum and maximum since its start, not for a bucket of time.
      return temporalities.includes(CUMULATIVE) ? ['sum', 'avg', 'rate', 'p50', 'p95', 'p99'] : AGGREGATIONS;
    case 'summary':
      return ['sum', 'avg', 'rate', 'p50', 'p95', 'p99'];
  }
}

const LEVELS: readonly Aggregation[] = ['sum', 'avg', 'min', 'max'];

/** Throws `VALIDATION_ERROR`, with the suitable aggregations, if the aggregation has no meaning for the metric. */
export function requireSuitable(aggregation: Aggregation, kind: MetricKind): void {
  const suitable = suitableFor(kind);
  if (suitable.includes(aggregation)) return;
  const message =
    suitable.length === 0
      ? `must not be asked of a metric of type ${kind.type} whose senders don’t agree on a temporality, or don’t say it`
      : `must be one of ${suitable.join(', ')} for a metric of type ${describe(kind)}`;
  throw new DomainError('VALIDATION_ERROR', 'The aggregation doesn’t suit the metric’s type.', {
    details: [{ path: 'aggregation', message }],
  });
}

const TEMPORALITIES = ['unspecified', 'delta', 'cumulative'] as const;

/** Temporalities by name, for answers. */
export const temporalitiesOf = (numbers: readonly number[]): (typeof TEMPORALITIES)[number][] =>
  numbers.map((number) => TEMPORALITIES[number] ?? 'unspecified');

function describe({ type, monotonic, temporalities }: MetricKind): string {
  if (type !== 'sum' && type !== 'histogram' && type !== 'exponentialHistogram') return type;
  const temporality = temporalitiesOf(temporalities).join(' and ');
  return type === 'sum'
    ? `${type} (${temporality}${monotonic ? ', monotonic' : ''})`
    : `${type} (${temporality})`;
}

/** The unit of the values in the answer, in UCUM as in OTLP; empty if the sender gave none. */
export function unitOf(aggregation: Aggregation, { type, unit }: MetricKind): string {
  if (aggregation !== 'rate') return unit;
  // For a metric that counts observations: their rate.
  return type === 'sum' && unit !== '' ? `${unit}/s` : '1/s';
}
