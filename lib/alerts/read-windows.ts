/** Which windows of sums a rule asks for, and what they say (docs/alerts.md#sums). Pure. */
import { readFilter } from '../analytics/reading/filter-text.ts';
import { percentileMs } from '../telemetry/latency.ts';
import { type NoDataReason, type Reading, SMALLEST_BASELINE } from './alert-condition.ts';
import { MINUTE_DIMENSIONS } from './alert-fields.ts';
import type { Rule } from './alert-subject.ts';

const MINUTE_MS = 60_000;
export const BASELINE_WEEKS = 4;

/** What is counted by the minute (`moments_of`). */
const SERIES = {
  present: 1,
  visits: 2,
  pageviews: 3,
  events: 4,
  revenue: 5,
  goal: 6,
  source: 7,
  channel: 8,
  country: 9,
  device: 10,
  entry_page: 11,
  refused: 12,
} as const;
/** Revenue is stored in ten-thousandths. */
const REVENUE_UNIT = 10_000;

/** Which groups of errors are counted (`count_window_errors`): new ones, or those that returned. */
export const errorSeriesOf = ({ metric }: Pick<Rule, 'metric'>): number => (metric === 'new_error' ? 1 : 2);

export type WindowSource = 'site' | 'spans' | 'outcomes' | 'logs' | 'received' | 'errors';

/** A question for `windows_of`. */
export interface WindowAsked {
  key: number;
  zone: string;
  to: string;
  minutes: number;
  weeks: number;
  series?: number;
  tier?: number;
  operator?: string;
  names?: readonly string[];
  service?: string;
  operation?: string;
  by_minute?: boolean;
}

export interface WindowSum {
  /** Of counts. */
  total: number;
  /** The least and the most of a window's minutes. */
  low: number | null;
  high: number | null;
  /** Whether the whole window is known. */
  isCovered: boolean;
  errors: number;
  buckets: Record<string, number> | null;
  /** Whether anything of the environment was received in the window. */
  isAlive: boolean;
  /** When something was received last, epoch milliseconds. */
  lastAt: number | null;
}

/** A rule at the end of a minute. */
export interface RuleAt {
  rule: Rule;
  /** Of the site or environment in the tables of sums. */
  key: number;
  zone: string;
  /** Of the goal that the rule names; null: it is gone. */
  goalKey: number | null;
  /** When the site's first event happened, or the environment's first spans, epoch milliseconds; null: never. */
  firstAt: number | null;
  at: number;
}

export const isRelative = ({ compare }: Pick<Rule, 'compare'>): boolean =>
  compare === 'rose_by' || compare === 'fell_by';

const SEVERITIES = { debug: 5, info: 9, warn: 13, error: 17, fatal: 21 } as const;

export function sourceOf({ metric }: Pick<Rule, 'metric'>): WindowSource | 'metric' {
  switch (metric) {
    case 'error_rate':
    case 'requests':
    case 'p50':
    case 'p95':
    case 'p99':
      return 'spans';
    case 'logs':
      return 'logs';
    case 'outcomes':
      return 'outcomes';
    case 'silence':
      return 'received';
    case 'new_error':
    case 'returned_error':
      return 'errors';
    case 'metric':
      return 'metric';
    default:
      return 'site';
  }
}

/** The windows of a rule: of the present, and if it compares with other weeks of each of the last four. */
export function windowsOf(asked: RuleAt): WindowAsked[] {
  const weeks = isRelative(asked.rule) ? Array.from({ length: BASELINE_WEEKS + 1 }, (_, n) => n) : [0];
  const at = {
    key: asked.key,
    zone: asked.zone,
    to: new Date(asked.at).toISOString(),
    minutes: asked.rule.forMinutes,
  };
  return weeks.flatMap((week) => sumsOf(asked).map((sum) => ({ ...at, ...sum, weeks: week })));
}

type Sum = Omit<WindowAsked, 'key' | 'zone' | 'to' | 'minutes' | 'weeks'>;

function sumsOf({ rule: { metric, subject }, goalKey }: Pick<RuleAt, 'rule' | 'goalKey'>): Sum[] {
  const { filters, event, currency, service, operation, severity, text, outcomeType } = subject;
  const tier = filters?.privacy_tier;
  const ofTier = { ...(tier !== undefined && { tier }) };
  const spans = { ...(service !== undefined && { service }), ...(operation !== undefined && { operation }) };
  const goal = { series: SERIES.goal, operator: 'is', names: [String(goalKey)], ...ofTier };
  switch (metric) {
    case 'visitors_now':
      return [{ series: SERIES.present, by_minute: true, ...ofTier }];
    case 'visits': {
      const dimension = MINUTE_DIMENSIONS.find((name) => filters?.[name] !== undefined);
      if (dimension === undefined) return [{ series: SERIES.visits, ...ofTier }];
      const { operator, values } = readFilter(filters?.[dimension] ?? '');
      // Visits without a value have none of the values too.
      if (operator === 'not')
        return [
          { series: SERIES.visits, ...ofTier },
          { series: SERIES[dimension], operator: 'is', names: values, ...ofTier },
        ];
      return [{ series: SERIES[dimension], operator, names: values, ...ofTier }];
    }
    case 'pageviews':
      return [{ series: SERIES.pageviews, ...ofTier }];
    case 'conversions':
      return [goal];
    case 'conversion_rate':
      return [goal, { series: SERIES.visits, ...ofTier }];
    case 'revenue':
      return [{ series: SERIES.revenue, operator: 'is', names: [currency ?? ''], ...ofTier }];
    case 'events':
      return [
        { series: SERIES.events, ...(event !== undefined && { operator: 'is', names: [event] }), ...ofTier },
      ];
    case 'dropped':
      return [{ series: SERIES.refused }];
    case 'requests':
    case 'error_rate':
      return [spans];
    case 'p50':
    case 'p95':
    case 'p99':
      return [{ ...spans, by_minute: true }];
    case 'outcomes':
      return [{ ...(outcomeType !== undefined && { names: [outcomeType] }) }];
    case 'logs':
      return [
        {
          ...(service !== undefined && { service }),
          ...(text !== undefined && { operation: text }),
          ...(severity !== undefined && { tier: SEVERITIES[severity] }),
        },
      ];
    case 'silence':
      return [{ ...(service !== undefined && { service }) }];
    case 'new_error':
    case 'returned_error':
      return [{ series: errorSeriesOf({ metric }), ...(service !== undefined && { service }) }];
    case 'metric':
      return [];
  }
}

/** What the windows of `windowsOf`, in their order, say about the rule. */
export function readingOf(asked: RuleAt, sums: readonly WindowSum[]): Reading {
  const { rule, firstAt, goalKey } = asked;
  const site = sourceOf(rule) === 'site';
  if (rule.subject.goalId !== undefined && goalKey === null) return nothing('no_goal');
  if (rule.metric === 'silence') return silenceOf(asked, sums);
  if (site && (firstAt === null || firstAt >= asked.at)) return nothing('never_received');
  const width = sumsOf(asked).length;
  const now = sums.slice(0, width);
  if (site && now.some(({ isCovered }) => !isCovered)) return nothing('not_counted');
  if (
    sourceOf(rule) === 'spans' &&
    rule.metric === 'requests' &&
    now[0]?.isAlive === false &&
    rule.compare !== 'silent'
  )
    return nothing('never_received');
  const value = amountOf(rule, now);
  if (value === null) return nothing('nothing_to_divide');
  if (!isRelative(rule)) return { value, reason: null };
  return { value, ...baselineOf(asked, sums.slice(width)) };
}

const nothing = (reason: NoDataReason): Reading => ({ value: null, reason });

function silenceOf({ rule, at }: RuleAt, [sum]: readonly WindowSum[]): Reading {
  const lastAt = sum?.lastAt ?? null;
  if (lastAt === null) return nothing('never_received');
  return { value: lastAt >= at - rule.forMinutes * MINUTE_MS ? 1 : 0, reason: null };
}

/** The mean of the four weeks, if all are known and hold enough. */
function baselineOf(
  { rule, firstAt, at }: RuleAt,
  sums: readonly WindowSum[],
): Pick<Reading, 'baseline' | 'reason'> {
  const width = sums.length / BASELINE_WEEKS;
  const began = at - (BASELINE_WEEKS * 7 * 24 * 60 + rule.forMinutes) * MINUTE_MS;
  const isKnown = firstAt !== null && firstAt <= began;
  const isSite = sourceOf(rule) === 'site';
  if (!isKnown || (isSite && sums.some(({ isCovered }) => !isCovered)))
    return { baseline: null, reason: 'no_baseline' };
  const weeks = Array.from({ length: BASELINE_WEEKS }, (_, n) => sums.slice(n * width, (n + 1) * width));
  const values = weeks.flatMap((week) => amountOf(rule, week) ?? []);
  if (values.length < BASELINE_WEEKS) return { baseline: null, reason: 'no_baseline' };
  const held = weeks.reduce((sum, week) => sum + sizeOf(rule, week), 0) / BASELINE_WEEKS;
  if (held < SMALLEST_BASELINE) return { baseline: null, reason: 'small_baseline' };
  return { baseline: values.reduce((sum, value) => sum + value, 0) / BASELINE_WEEKS, reason: null };
}

/** How much a week's window holds: of rates and percentiles, what they are of. */
function sizeOf({ metric }: Rule, sums: readonly WindowSum[]): number {
  return (metric === 'conversion_rate' ? sums[1] : sums[0])?.total ?? 0;
}

const round = (value: number): number => Math.round(value * 1000) / 1000;

function amountOf({ metric, compare, forMinutes }: Rule, sums: readonly WindowSum[]): number | null {
  const [first, second] = sums;
  if (first === undefined) return null;
  switch (metric) {
    case 'visitors_now':
      if (compare === 'above') return first.low ?? 0;
      if (compare === 'rose_by' || compare === 'fell_by') return round(first.total / forMinutes);
      return first.high ?? 0;
    case 'visits':
      // With two sums the second is what the filter leaves out.
      return first.total - (second?.total ?? 0);
    case 'conversion_rate':
      return second === undefined || second.total === 0 ? null : round((first.total / second.total) * 100);
    case 'revenue':
      return first.total / REVENUE_UNIT;
    case 'error_rate':
      return first.total === 0 ? null : round((first.errors / first.total) * 100);
    case 'p50':
    case 'p95':
    case 'p99': {
      const cells = Object.entries(first.buckets ?? {});
      return percentileMs(
        { buckets: cells.map(([bucket]) => Number(bucket)), counts: cells.map(([, count]) => count) },
        Number(metric.slice(1)) / 100,
      );
    }
    case 'logs':
    case 'outcomes':
    case 'pageviews':
    case 'conversions':
    case 'events':
    case 'dropped':
    case 'requests':
    case 'silence':
    case 'metric':
    case 'new_error':
    case 'returned_error':
      return first.total;
  }
}
