/** The points of a trend in even steps: the tool leaves out times without traffic, which are zeros here. */

export interface TrendPoint {
  /** A date, or an hour by the site's clock with its offset. */
  time: string;
  visitors: number;
  visits: number;
  partial?: boolean;
}

export interface Step {
  at: number;
  visitors: number;
  visits: number;
  partial: boolean;
}

const DAY_MS = 86_400_000;
const STEPS_MS: Readonly<Record<string, number>> = { hour: DAY_MS / 24, day: DAY_MS, week: 7 * DAY_MS };
/** More than any trend has. */
const MOST_STEPS = 400;

const nextMonth = (at: number): number => {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, date.getUTCDate());
};

/** `from` and `to`: days that were observed. A trend of days begins and ends with them. */
export function stepsOf(
  points: readonly TrendPoint[],
  interval: string,
  { from, to }: { from: string; to: string },
): Step[] {
  const known = new Map(points.map((point) => [Date.parse(point.time), point]));
  const times = [...known.keys(), ...(interval === 'day' ? [Date.parse(from), Date.parse(to)] : [])];
  const end = Math.max(...times);
  const steps: Step[] = [];
  for (let at = Math.min(...times); at <= end && steps.length < MOST_STEPS; ) {
    const { visitors = 0, visits = 0, partial = false } = known.get(at) ?? {};
    steps.push({ at, visitors, visits, partial });
    at = interval === 'month' ? nextMonth(at) : at + (STEPS_MS[interval] ?? DAY_MS);
  }
  return steps;
}
