import { type Aggregation, isPercentile, quantileOf } from './aggregations.ts';
import { type Buckets, secondsOf } from './metric-interval.ts';
import { explicitQuantile, exponentialQuantile } from './quantile.ts';

/**
 * What the statement returns for a bucket: its number, then either the value, of sums with all digits if a double can't hold them, or the position of the quantile: `upper, lower, before,
 * inside, total` for explicit bounds, `scale, side, index, before, inside, total` for exponential buckets; of these two also the least and the
 * greatest of what was measured, null if it isn't known.
 */
export type Cell =
  | [bucket: number, value: number | null]
  | [bucket: number, value: number | null, exact: string | null]
  | [number, number | null, number | null, number, number, number, ...Extremes]
  | [number, number, number, number, number, number, number, ...Extremes];
type Extremes = [least: number | null, most: number | null];

export interface TimedValue {
  time: string;
  value: number | null;
  /** All digits of an integer beyond 2^53. */
  exact?: string;
}

/** Every bucket of the range in order; null for a bucket without an observation. */
export function valuesOf(
  cells: readonly Cell[],
  { aggregation, buckets, now }: { aggregation: Aggregation; buckets: Buckets; now: number },
): TimedValue[] {
  const { instants, seconds, count } = buckets;
  const known = new Map(cells.map((cell) => [cell[0], cell]));
  return Array.from({ length: count }, (_, bucket) => {
    const cell = known.get(bucket);
    const value = cell === undefined ? null : shown(cell, aggregation);
    return {
      time: new Date(instants.fromMs + bucket * seconds * 1000).toISOString(),
      value: value === null || aggregation !== 'rate' ? value : value / secondsOf(buckets, bucket, now),
      ...(cell?.length === 3 && cell[2] !== null && { exact: cell[2] }),
    };
  });
}

function shown(cell: Cell, aggregation: Aggregation): number | null {
  if (cell.length === 2 || cell.length === 3) return cell[1];
  const quantile = isPercentile(aggregation) ? quantileOf(aggregation) : 0;
  if (cell.length === 8) {
    const [, upper, lower, before, inside, total, ...extremes] = cell;
    return between(extremes, explicitQuantile(quantile, { lower, upper, before, inside, total }));
  }
  const [, scale, side, index, before, inside, total, ...extremes] = cell;
  return between(extremes, exponentialQuantile(quantile, { scale, side, index, before, inside, total }));
}

/** What was interpolated, no further than what was measured. */
const between = ([least, most]: Extremes, value: number | null): number | null =>
  value === null
    ? null
    : Math.min(most ?? Number.POSITIVE_INFINITY, Math.max(least ?? Number.NEGATIVE_INFINITY, value));
