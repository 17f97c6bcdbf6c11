import { DomainError } from '../errors.ts';
import type { SpanInterval } from './span-schemas.ts';
import type { Instants } from './telemetry-range.ts';

const INTERVAL_SECONDS: Record<SpanInterval, number> = {
  '1m': 60,
  '5m': 300,
  '15m': 900,
  '1h': 3600,
  '1d': 86_400,
};
const MAX_INTERVALS = 500;

/** Intervals one after the other, aligned to 1970 in UTC. The first and the last may lie only partly in the range. */
export interface Intervals {
  seconds: number;
  /** The number of the first one: the seconds from 1970 to its begin, divided by `seconds`. */
  first: number;
  count: number;
}

/** The intervals of a range; undefined if none are asked for. Throws `VALIDATION_ERROR` for over 500. */
export function intervalsOf(
  { fromMs, toMs }: Instants,
  interval: SpanInterval | undefined,
): Intervals | undefined {
  if (interval === undefined) return undefined;
  const seconds = INTERVAL_SECONDS[interval];
  const first = Math.floor(fromMs / 1000 / seconds);
  const count = Math.ceil(toMs / 1000 / seconds) - first;
  if (count > MAX_INTERVALS)
    throw refusedInterval(
      `The range has over ${MAX_INTERVALS} intervals.`,
      `at most ${MAX_INTERVALS} intervals fit`,
    );
  return { seconds, first, count };
}

/** One item per interval. `make` gets its number, and its begin in epoch milliseconds. */
export const perInterval = <Item>(
  { seconds, first, count }: Intervals,
  make: (number: number, beginMs: number) => Item,
): Item[] => Array.from({ length: count }, (_, at) => make(first + at, (first + at) * seconds * 1000));

/** Whether sums of hours are too coarse. */
export const needsMinutes = (intervals: Intervals | undefined): boolean =>
  intervals !== undefined && intervals.seconds % 3600 !== 0;

export const refusedInterval = (sentence: string, rule: string): DomainError =>
  new DomainError('VALIDATION_ERROR', sentence, {
    details: [{ path: 'interval', message: `must be longer: ${rule}` }],
  });
