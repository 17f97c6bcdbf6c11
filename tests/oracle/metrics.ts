/** The answers about a metric, computed in a slow and obvious way: from all points, sorted, one after the other. */

import type { ExplicitBuckets, ExponentialBuckets, Quantiles } from '../../lib/otlp/rows.ts';
import type { Aggregation } from '../../lib/telemetry/metrics/aggregations.ts';

export type Kind = 'level' | 'counter' | 'distribution' | 'summary';

export interface OraclePoint {
  series: number;
  group: string;
  timeMs: number;
  /** 0: unknown or without meaning. */
  startMs: number;
  isCumulative: boolean;
  value?: number;
  count?: number;
  sum?: number;
  min?: number;
  max?: number;
  explicit?: ExplicitBuckets;
  exponential?: ExponentialBuckets;
  quantiles?: Quantiles['quantiles'];
}

export interface OracleQuestion {
  kind: Kind;
  aggregation: Aggregation;
  fromMs: number;
  toMs: number;
  widthMs: number;
  nowMs: number;
  /** The start of the time in which something could be observed. */
  sinceMs: number;
}

/** A point with the point before it in its stream, which is undefined for the first one. */
interface Step {
  point: OraclePoint;
  before: OraclePoint | undefined;
  /** True if nothing before it counts, not even the start from 0. */
  isBaseline: boolean;
}

const QUANTILES: Partial<Record<Aggregation, number>> = { p50: 0.5, p95: 0.95, p99: 0.99 };

/** For each group and each bucket a value, or null if nothing is known. */
export function askPoints(
  points: readonly OraclePoint[],
  question: OracleQuestion,
): Map<string, (number | null)[]> {
  const { fromMs, toMs, widthMs } = question;
  const steps = stepsOf(points, question).filter(
    ({ point }) => point.timeMs >= fromMs && point.timeMs < toMs,
  );
  const bucketOf = ({ point }: Step): number => Math.floor((point.timeMs - fromMs) / widthMs);
  const answer = new Map<string, (number | null)[]>();
  for (const group of new Set(steps.map(({ point }) => point.group))) {
    const own = steps.filter(({ point }) => point.group === group);
    const bounds = sharedBounds(own);
    answer.set(
      group,
      Array.from({ length: Math.ceil((toMs - fromMs) / widthMs) }, (_, bucket) => {
        const inside = own.filter((step) => bucketOf(step) === bucket);
        const isOwnQuantile = question.kind === 'summary' && question.aggregation in QUANTILES;
        if (!isOwnQuantile && inside.every(({ isBaseline }) => isBaseline)) return null;
        const startMs = fromMs + bucket * widthMs;
        const endMs = Math.min(startMs + widthMs, toMs, question.nowMs);
        return valueOfBucket(inside, question, bounds, Math.max(1, (endMs - startMs) / 1000));
      }),
    );
  }
  return answer;
}

function stepsOf(points: readonly OraclePoint[], { sinceMs }: OracleQuestion): Step[] {
  const last = new Map<string, OraclePoint>();
  return [...points]
    .sort((a, b) => a.timeMs - b.timeMs)
    .map((point) => {
      if (!point.isCumulative) return { point, before: undefined, isBaseline: false };
      const stream = `${point.series} ${point.startMs} ${JSON.stringify(point.explicit?.bounds)}`;
      const before = last.get(stream);
      last.set(stream, point);
      const isUnknown = point.startMs === 0 || point.startMs >= point.timeMs || point.startMs < sinceMs;
      const isReset =
        before !== undefined &&
        ((point.value ?? 0) < (before.value ?? 0) || (point.count ?? 0) < (before.count ?? 0));
      return { point, before: isReset ? undefined : before, isBaseline: before === undefined && isUnknown };
    });
}

const added = (steps: readonly Step[], of: (point: OraclePoint) => number): number =>
  steps.reduce((sum, { point, before, isBaseline }) => {
    const base = isBaseline ? of(point) : before === undefined ? 0 : of(before);
    return sum + (of(point) - base);
  }, 0);

function valueOfBucket(
  steps: readonly Step[],
  { kind, aggregation }: OracleQuestion,
  bounds: readonly number[],
  seconds: number,
): number | null {
  const points = steps.map(({ point }) => point);
  const values = points.flatMap(({ value }) => (value === undefined ? [] : [value]));
  const quantile = QUANTILES[aggregation];
  if (quantile !== undefined) {
    if (kind === 'summary') return highestQuantile(points, quantile);
    return measured(
      points,
      points.some(({ exponential }) => exponential !== undefined)
        ? exponentialQuantile(steps, quantile)
        : explicitQuantile(steps, quantile, bounds),
    );
  }
  const count = added(steps, (point) => point.count ?? 0);
  switch (aggregation) {
    case 'sum': {
      if (kind === 'counter') return added(steps, (point) => point.value ?? 0);
      if (kind !== 'level') return added(steps, (point) => point.sum ?? 0);
      const last = new Map(points.map(({ series, value }) => [series, value ?? 0]));
      return [...last.values()].reduce((sum, value) => sum + value, 0);
    }
    case 'avg':
      if (kind === 'level') return values.reduce((sum, value) => sum + value, 0) / values.length;
      return count === 0 ? null : added(steps, (point) => point.sum ?? 0) / count;
    case 'min':
      return known(Math.min(...(kind === 'level' ? values : points.flatMap(({ min }) => min ?? []))));
    case 'max':
      return known(Math.max(...(kind === 'level' ? values : points.flatMap(({ max }) => max ?? []))));
    default:
      return (kind === 'counter' ? added(steps, (point) => point.value ?? 0) : count) / seconds;
  }
}

/** A percentile between the least and the greatest of what was measured, if all points say them. */
function measured(points: readonly OraclePoint[], value: number | null): number | null {
  const some = points.filter(({ count = 0 }) => count > 0);
  const ends = some.flatMap(({ min, max }) => (min === undefined || max === undefined ? [] : [min, max]));
  if (value === null || ends.length < 2 * some.length) return value;
  return Math.min(Math.max(...ends), Math.max(Math.min(...ends), value));
}

const known = (value: number): number | null => (Number.isFinite(value) ? value : null);

function highestQuantile(points: readonly OraclePoint[], quantile: number): number | null {
  const last = new Map(points.map((point) => [`${point.series} ${point.startMs}`, point]));
  const given = [...last.values()].flatMap(({ quantiles = [] }) =>
    quantiles.filter((one) => one.quantile === quantile).map(({ value }) => Number(value)),
  );
  return given.length === 0 ? null : Math.max(...given);
}

function sharedBounds(steps: readonly Step[]): number[] {
  const all = steps.map(({ point }) => point.explicit?.bounds ?? []);
  return (all[0] ?? []).filter((bound) => all.every((bounds) => bounds.includes(bound)));
}

/**
 * Finds the part (lower, upper] that contains the quantile, and the position in that part. The parts are sorted and have a number of
 * observations.
 */
function find(parts: { lower: number; upper: number; n: number }[], quantile: number) {
  const held = parts.filter(({ n }) => n > 0).sort((a, b) => a.upper - b.upper);
  const total = held.reduce((sum, { n }) => sum + n, 0);
  let before = 0;
  for (const part of held) {
    if (100 * (before + part.n) >= Math.round(100 * quantile) * total)
      return { ...part, share: (quantile * total - before) / part.n };
    before += part.n;
  }
  return undefined;
}

function explicitQuantile(
  steps: readonly Step[],
  quantile: number,
  bounds: readonly number[],
): number | null {
  const edges = [Number.NEGATIVE_INFINITY, ...bounds, Number.POSITIVE_INFINITY];
  const parts = edges.slice(1).map((upper, index) => ({
    lower: edges[index] as number,
    upper,
    n: added(steps, ({ explicit = { bounds: [], counts: [] } }) =>
      explicit.counts.reduce((sum, count, n) => {
        const end = explicit.bounds[n] ?? Number.POSITIVE_INFINITY;
        return end > (edges[index] as number) && end <= upper ? sum + count : sum;
      }, 0),
    ),
  }));
  const found = find(parts, quantile);
  if (found === undefined) return null;
  const { lower, upper, share } = found;
  if (upper === Number.POSITIVE_INFINITY) return Number.isFinite(lower) ? lower : null;
  const from = Number.isFinite(lower) ? lower : Math.min(0, upper);
  return from + (upper - from) * share;
}

/** The observations of every bucket at a scale, by the bucket's end. */
function spread(
  { scale, zeroCount, positive, negative }: ExponentialBuckets,
  to: number,
): Map<string, number> {
  const held = new Map<string, number>();
  const add = (side: string, index: number, count: number) => {
    const key = `${side} ${Math.floor(index / 2 ** (scale - to))}`;
    held.set(key, (held.get(key) ?? 0) + count);
  };
  positive.counts.forEach((count, n) => {
    add('+', positive.offset + n, count);
  });
  negative.counts.forEach((count, n) => {
    add('-', negative.offset + n, count);
  });
  held.set('0 0', zeroCount);
  return held;
}

function exponentialQuantile(steps: readonly Step[], quantile: number): number | null {
  const holding = steps
    .flatMap(({ point, before }) => [point, ...(before === undefined ? [] : [before])])
    .filter(({ count = 0 }) => count > 0);
  const scale = Math.min(...holding.map(({ exponential }) => exponential?.scale ?? 0));
  const keys = new Set(
    holding.flatMap(({ exponential }) => (exponential ? [...spread(exponential, scale).keys()] : [])),
  );
  const base = 2 ** (2 ** -scale);
  const parts = [...keys].map((key) => {
    const [side, text] = key.split(' ');
    const index = Number(text);
    const ends = [base ** index, base ** (index + 1)] as const;
    const n = added(steps, ({ exponential }) =>
      exponential === undefined ? 0 : (spread(exponential, scale).get(key) ?? 0),
    );
    if (side === '0') return { lower: 0, upper: 0, n };
    return side === '+' ? { lower: ends[0], upper: ends[1], n } : { lower: -ends[1], upper: -ends[0], n };
  });
  const found = find(parts, quantile);
  if (found === undefined) return null;
  const { lower, upper, share } = found;
  return lower === 0 ? 0 : lower * (upper / lower) ** share;
}
