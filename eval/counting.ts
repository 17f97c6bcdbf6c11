/** What several questions count in the generator's own output and by the reports' oracle, plainly. */
import { SERVICES } from '../dev/demo/telemetry/shop-requests.ts';
import type { Filter } from '../lib/analytics/reading/filters.ts';
import { goalsOf } from '../tests/oracle/goals.ts';
import {
  heatmapOf,
  type OraclePeriod,
  overviewOf,
  rangeOf,
  valuesOf,
  type World,
} from '../tests/oracle/reports.ts';
import type { Truth } from './truth.ts';
import { NOW } from './world.ts';

export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** The days from a date to another one, both inclusive. */
export const daysOf = (from: string, to = from): { from: number; to: number } => ({
  from: Date.parse(from),
  to: Date.parse(to) + DAY_MS,
});

export const is = (dimension: string, ...values: string[]): Filter =>
  ({ dimension, operator: 'is', values }) as unknown as Filter;

export const visitsOf = (world: World, period: OraclePeriod): number => overviewOf(world, period, NOW).visits;

export const percent = (part: number, whole: number): number => Math.round((1000 * part) / whole) / 10;

/** A goal's conversions and rate by the rule of `exact`. */
export function exactOf(world: World, goal: string, period: OraclePeriod = '30d') {
  const found = goalsOf(world, period, NOW).data.find(({ name }) => name === goal);
  if (found === undefined) throw new Error(`There is no goal ${goal}.`);
  return { ...found.exact, revenue: found.revenue };
}

/** The busiest hour of the week, by visits in such an hour. */
export function busiestHour({ site }: Truth) {
  const cells = heatmapOf(site.world, '30d', NOW).filter(({ hours }) => hours > 0);
  const { weekday, hour } = cells.reduce((a, b) => (b.visits / b.hours > a.visits / a.hours ? b : a));
  return { weekday: WEEKDAYS[weekday - 1], hour };
}

/** The hour of the day with the fewest visits, by visits in such an hour. */
export function quietestHour({ site }: Truth): number {
  const byHour = Map.groupBy(heatmapOf(site.world, '30d', NOW), ({ hour }) => hour);
  const average = (hour: number): number => {
    const cells = byHour.get(hour) ?? [];
    const sum = (figure: 'visits' | 'hours') => cells.reduce((all, cell) => all + cell[figure], 0);
    return sum('visits') / sum('hours');
  };
  return [...byHour.keys()].reduce((a, b) => (average(b) < average(a) ? b : a));
}

/** The source that lost most visits of a period against the one before. */
export function lostMost({ site: { world } }: Truth, now: OraclePeriod, before?: OraclePeriod) {
  const ranges = rangeOf(now, NOW, world.zone);
  const of = (period: OraclePeriod) =>
    new Map(valuesOf(world, period, 'source', 1000, NOW).map(({ value, visits }) => [value, visits]));
  const [late, early] = [of(ranges.range), of(before ?? ranges.before)];
  return [...new Set([...late.keys(), ...early.keys()])]
    .map((source) => ({ source, change: (late.get(source) ?? 0) - (early.get(source) ?? 0) }))
    .sort((a, b) => a.change - b.change || (a.source < b.source ? -1 : 1))[0];
}

type Spans = Truth['backend']['raw']['spans'];
export type Span = Spans[number];

export const startOf = ({ startNano }: { startNano: string }): number => Number(startNano.slice(0, -6));
export const serviceOf = ({ resource }: Span): string => SERVICES[resource] ?? '';
export const isEntry = ({ kind, parentSpanId }: Span): boolean => kind === 2 || parentSpanId === null;
export const failed = ({ statusCode }: Span): boolean => statusCode === 2;

/** Spans since an instant that a test keeps. */
export const spansSince = (truth: Truth, since: number, keeps: (span: Span) => boolean): Spans =>
  truth.backend.raw.spans.filter((span) => startOf(span) >= since && keeps(span));

/** The statement whose calls took the most time in total. */
export function costliestStatement(truth: Truth, since: number): string | undefined {
  const calls = spansSince(truth, since, ({ attributes }) => 'db.system.name' in attributes);
  const total = (spans: Spans) => spans.reduce((sum, { durationNano }) => sum + durationNano, 0);
  const byName = Map.groupBy(calls, ({ attributes }) => String(attributes['db.query.summary']));
  return [...byName].sort((a, b) => total(b[1]) - total(a[1]))[0]?.[0];
}

/** Percent with two decimals. */
export const errorPercent = (spans: Spans): number =>
  Math.round((1e4 * spans.filter(failed).length) / spans.length) / 100;

/** Calls of a host that sends no spans. */
export const callsOfAcquirer = (truth: Truth, since: number): Spans =>
  spansSince(truth, since, ({ attributes }) => attributes['server.address'] === 'acquirer.example');

/** The duration in nanoseconds that 95 of 100 spans don't exceed. */
export function p95Of(spans: Spans): number {
  const sorted = spans.map(({ durationNano }) => durationNano).sort((a, b) => a - b);
  return sorted[Math.ceil(0.95 * sorted.length) - 1] ?? 0;
}
