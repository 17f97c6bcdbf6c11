import type { summarizeService } from '../../api/operations.generated.ts';

const HOUR_MS = 3_600_000;

type Interval = '1m' | '5m' | '15m' | '1h' | '1d';
/** Which interval draws a range up to a number of milliseconds. */
type Steps = readonly (readonly [mostMs: number, interval: Interval])[];

const OF_CHARTS: Steps = [
  [2 * HOUR_MS, '1m'],
  [8 * HOUR_MS, '5m'],
  [26 * HOUR_MS, '15m'],
  [8 * 24 * HOUR_MS, '1h'],
];
/** Small lines need fewer points, and from an hour on the service reads sums of hours. */
const OF_SPARKLINES: Steps = [
  [HOUR_MS, '1m'],
  [6 * HOUR_MS, '5m'],
  [8 * 24 * HOUR_MS, '1h'],
];

const intervalOf = (length: number, steps: Steps): Interval =>
  steps.find(([most]) => length <= most)?.[1] ?? '1d';

/** An interval that gives a chart of a range (milliseconds) a readable number of points. */
export const chartInterval = (length: number): Interval => intervalOf(length, OF_CHARTS);
export const sparklineInterval = (length: number): Interval => intervalOf(length, OF_SPARKLINES);

type Meta = Awaited<ReturnType<typeof summarizeService>>['meta'];

const LONG_MS = 36 * HOUR_MS;
/** Whether the range is so long that its times are labelled with their days. */
export const isLong = ({ range }: Meta): boolean => Date.parse(range.to) - Date.parse(range.from) > LONG_MS;

/** The intervals of a range, each with whether anything was observed in it, and whether more may still come. */
export function observedIntervals<Point extends { time: string; observed: boolean }>(
  intervals: readonly Point[],
  { range, freshness }: Meta,
): { point: Point; isObserved: boolean; unfinished: boolean }[] {
  return intervals.map((point, index) => {
    const end = Date.parse(intervals[index + 1]?.time ?? range.to);
    return {
      point,
      isObserved: point.observed,
      unfinished: index === intervals.length - 1 && end >= Date.parse(freshness.evaluatedAt),
    };
  });
}
