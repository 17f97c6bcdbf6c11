import { MAX_BUCKETS } from './otlp-limits.ts';
import type { Rejection, Tally } from './request-tally.ts';
import type {
  Attributes,
  BucketRun,
  Exemplar,
  ExplicitBuckets,
  ExponentialBuckets,
  MetricType,
  Numeric,
  PointRow,
  Quantiles,
} from './rows.ts';

/** Stands for a count above 2^53 - 1. No valid count has this value. */
export const TOO_MANY = -1;
const NO_RECORDED_VALUE = 1;

/** A data point of any type while it is being read. Fields that its type lacks keep the initial values. */
export interface PointDraft {
  attributes: Attributes;
  startNano: string | undefined;
  timeNano: string | undefined;
  flags: number;
  value: Numeric | string | null;
  count: number;
  sum: Numeric | null;
  min: Numeric | null;
  max: Numeric | null;
  exemplars: Exemplar[];
  explicit: { bounds: Numeric[]; counts: number[] };
  exponential: ExponentialBuckets;
  quantiles: Quantiles['quantiles'];
}

export function newPoint(): PointDraft {
  return {
    attributes: {},
    startNano: '0',
    timeNano: '0',
    flags: 0,
    value: null,
    count: 0,
    sum: null,
    min: null,
    max: null,
    exemplars: [],
    explicit: { bounds: [], counts: [] },
    exponential: { scale: 0, zeroCount: 0, zeroThreshold: 0, positive: newRun(), negative: newRun() },
    quantiles: [],
  };
}

const newRun = (): BucketRun => ({ offset: 0, counts: [] });

/** The row of a completely read point. Undefined if the point is invalid; the refusal is counted. */
export function finishPoint(
  draft: PointDraft,
  type: MetricType,
  metric: () => number,
  tally: Tally,
): PointRow | undefined {
  const { attributes, startNano, timeNano, flags, exemplars } = draft;
  if (startNano === undefined || timeNano === undefined) return tally.reject('time');
  const reason = findFault(draft, type);
  if (reason !== undefined) return tally.reject(reason);
  const isNumber = type === 'gauge' || type === 'sum';
  return {
    metric: metric(),
    attributes,
    startNano,
    timeNano,
    flags,
    value: isNumber ? draft.value : null,
    count: isNumber ? null : draft.count,
    // A summary always has a sum; protobuf doesn't send a sum of 0.
    sum: type === 'summary' ? (draft.sum ?? 0) : draft.sum,
    min: draft.min,
    max: draft.max,
    distribution: readDistribution(draft, type),
    exemplars,
  };
}

function findFault(draft: PointDraft, type: MetricType): Rejection | undefined {
  switch (type) {
    case 'gauge':
    case 'sum':
      return draft.value === null && (draft.flags & NO_RECORDED_VALUE) === 0 ? 'value' : undefined;
    case 'summary':
      return draft.count === TOO_MANY ? 'count' : undefined;
    case 'histogram':
      if (draft.count === TOO_MANY || draft.explicit.counts.includes(TOO_MANY)) return 'count';
      return isExplicit(draft.explicit) ? undefined : 'buckets';
    case 'exponentialHistogram': {
      const { zeroCount, positive, negative } = draft.exponential;
      const counts = [positive.counts, negative.counts];
      if (draft.count === TOO_MANY || zeroCount === TOO_MANY) return 'count';
      if (counts.some((side) => side.includes(TOO_MANY))) return 'count';
      return counts.some((side) => side.length > MAX_BUCKETS) ? 'buckets' : undefined;
    }
  }
}

function isExplicit(buckets: PointDraft['explicit']): buckets is ExplicitBuckets {
  const { bounds, counts } = buckets;
  if (counts.length > MAX_BUCKETS) return false;
  if (counts.length !== (bounds.length === 0 && counts.length === 0 ? 0 : bounds.length + 1)) return false;
  let last = Number.NEGATIVE_INFINITY;
  for (const bound of bounds) {
    if (typeof bound !== 'number' || bound <= last) return false;
    last = bound;
  }
  return true;
}

function readDistribution(draft: PointDraft, type: MetricType): PointRow['distribution'] {
  if (type === 'histogram') return draft.explicit as ExplicitBuckets;
  if (type === 'exponentialHistogram') return draft.exponential;
  return type === 'summary' ? { quantiles: draft.quantiles } : null;
}
