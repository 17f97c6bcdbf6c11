/** Into how many intervals a tool divides a range: one limit, said before the database is asked. */
import { DomainError } from '../../lib/errors.ts';
import { INTERVAL_SECONDS } from '../../lib/telemetry/metrics/metric-interval.ts';
import type { TelemetryRange } from '../../lib/telemetry/question-schemas.ts';
import { resolveRange } from '../../lib/telemetry/telemetry-range.ts';

/** Whether an interval lies only partly in the range of an answer, which ends with the present. */
export const partialIn =
  ({ from, to }: { from: string; to: string }, seconds: number) =>
  (time: string): { partial?: true } => {
    const begin = Date.parse(time);
    return begin < Date.parse(from) || begin + seconds * 1000 > Date.parse(to) ? { partial: true } : {};
  };

type Interval = keyof typeof INTERVAL_SECONDS;

interface Asked<I extends Interval> {
  interval?: I | undefined;
  /** Those that the tool takes, from short to long. */
  intervals: readonly I[];
  most: number;
}

/** The interval that is asked for, or the shortest that fits. Throws `VALIDATION_ERROR` with that one if the range has too many. */
export function intervalFor<I extends Interval>(
  range: TelemetryRange,
  now: number,
  { interval, intervals, most }: Asked<I>,
): I {
  const { fromMs, toMs } = resolveRange(range, now);
  const fits = (of: I): boolean => {
    const width = INTERVAL_SECONDS[of] * 1000;
    return Math.ceil(toMs / width) - Math.floor(fromMs / width) <= most;
  };
  const shortest = intervals.find(fits) ?? (intervals.at(-1) as I);
  if (interval === undefined || fits(interval)) return interval ?? shortest;
  throw new DomainError('VALIDATION_ERROR', 'The range has too many intervals.', {
    details: [
      { path: 'interval', message: `must make at most ${most} intervals: \`${shortest}\` or longer` },
    ],
  });
}
