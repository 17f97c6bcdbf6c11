/**
 * Reports of tools alone: the heatmap's cells added up and ranked, how good the visits of each value are, events with the number by currency,
 * events and goals over time, and a property's values with revenue.
 */
import type { CustomEventItem, EventPropItem } from '../../lib/analytics/answers/behaviour-schemas.ts';
import type {
  HeatmapCell,
  QualityItem,
  ReportMeta,
  TimeseriesPoint,
} from '../../lib/analytics/answers/schemas.ts';
import { countEventCurrencies } from '../../lib/analytics/lists/event-currencies.ts';
import { reportEventTimes } from '../../lib/analytics/lists/event-times.ts';
import { reportPropertyRevenue } from '../../lib/analytics/lists/property-revenue.ts';
import { meanOf } from '../../lib/analytics/reading/figures.ts';
import type { Filter } from '../../lib/analytics/reading/filters.ts';
import {
  AnyReport,
  QUALITY_BY,
  type QualityBy,
  type QualitySort,
} from '../../lib/analytics/reading/report-inputs.ts';
import type { ReportInput } from '../../lib/analytics/reading/run-report.ts';
import { type ReportDefinition, reportNamed } from '../../lib/analytics/reports.ts';
import { withSegment } from '../../lib/analytics/segment-filters.ts';
import { partialOf, type TimeseriesInput } from '../../lib/analytics/series/timeseries.ts';
import type { ReportContext } from '../../lib/context.ts';
import { invalid } from '../../lib/http/issues.ts';
import { clockIn } from './local-dates.ts';
import { momentAt, type OwnReport } from './report-rows.ts';

/** By which hours of the week visits break down. */
export const WEEKLY = ['weekday', 'hour_of_day', 'weekday_and_hour'] as const;
type Weekly = (typeof WEEKLY)[number];

export const isWeekly = (by: string): by is Weekly => WEEKLY.some((name) => name === by);

const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

type Cell = Pick<HeatmapCell, 'weekday' | 'hour' | 'visits' | 'hours'>;

const average = ({ visits, hours }: Cell, hoursOfOne = 1): number =>
  Math.round((visits / hours) * hoursOfOne * 10) / 10;

/** The cells of a heatmap added up, the busiest first. Hours that the range doesn't have are left out. */
function rankHours(cells: readonly Cell[], by: Weekly): object[] {
  const keyOf = ({ weekday, hour }: Cell): string =>
    ({ weekday: `${weekday}`, hour_of_day: `${hour}`, weekday_and_hour: `${weekday} ${hour}` })[by];
  return [...Map.groupBy(cells, keyOf).values()]
    .map((group) => {
      const [first] = group as [Cell, ...Cell[]];
      const sum = (figure: 'visits' | 'hours') => group.reduce((all, cell) => all + cell[figure], 0);
      return { ...first, visits: sum('visits'), hours: sum('hours') };
    })
    .filter(({ hours }) => hours > 0)
    .sort((a, b) => b.visits / b.hours - a.visits / a.hours || b.visits - a.visits)
    .map((cell) => ({
      ...(by !== 'hour_of_day' && { weekday: WEEKDAYS[cell.weekday - 1] }),
      ...(by !== 'weekday' && { hour: cell.hour }),
      visits: cell.visits,
      ...(by === 'weekday' ? { visitsPerDay: average(cell, 24) } : { visitsPerHour: average(cell) }),
    }));
}

const HOUR_MS = 3_600_000;

/** The cells with the hours of the range since collection began: nothing could be counted in earlier ones. */
function sinceCollection(
  cells: readonly Cell[],
  { range: { from, to, timezone }, coverage: { since }, freshness: { evaluatedAt } }: ReportMeta,
): readonly Cell[] {
  if (since === null || since <= from) return cells;
  const hours = new Map<string, number>();
  const end = Math.min(Date.parse(to), Date.parse(evaluatedAt));
  for (let at = Math.floor(Date.parse(since) / HOUR_MS) * HOUR_MS; at < end; at += HOUR_MS) {
    const clock = clockIn(at, timezone);
    const key = `${new Date(clock.slice(0, 10)).getUTCDay() || 7} ${Number(clock.slice(11, 13))}`;
    hours.set(key, (hours.get(key) ?? 0) + 1);
  }
  return cells.map((cell) => ({ ...cell, hours: hours.get(`${cell.weekday} ${cell.hour}`) ?? 0 }));
}

export const rankedHours = (by: Weekly): OwnReport => ({
  input: AnyReport,
  isList: false,
  read: async (ctx, input, part) => {
    const found = await reportNamed('heatmap').read(ctx, input, part);
    return { ...found, data: rankHours(sinceCollection(found.data as Cell[], found.meta), by) };
  },
});

const isQualityBy = (by: string): by is QualityBy => QUALITY_BY.some((name) => name === by);

/** Throws `VALIDATION_ERROR` for what has no such figures. */
export function visitQuality({
  by,
  ...asked
}: {
  by: string;
  sort: QualitySort;
  minVisits: number;
}): OwnReport {
  if (!isQualityBy(by))
    throw invalid([
      { path: 'by', message: `must be one of ${QUALITY_BY.join(', ')} with \`sort\` or \`minVisits\`` },
    ]);
  const label = by.endsWith('page') ? 'path' : 'value';
  const read: ReportDefinition['read'] = async (ctx, input: object, part) => {
    const found = await reportNamed('visit-quality').read(ctx, { ...input, ...asked, by } as never, part);
    const data = (found.data as QualityItem[]).map(({ value, ...figures }) => ({
      [label]: value,
      ...figures,
    }));
    return { ...found, data };
  };
  return { input: AnyReport, isList: true, read };
}

const filtersOf = <Input extends ReportInput = ReportInput>(
  ctx: ReportContext,
  input: object,
): Promise<Input> => withSegment(ctx, AnyReport.entries.filters, input as Input) as Promise<Input>;

/** The report `events`, whose revenue also has the number of events of each currency. */
export const eventsByCurrency: OwnReport = {
  ...reportNamed('events'),
  read: async (ctx, input, part) => {
    const found = await reportNamed('events').read(ctx, input, part);
    const data = found.data as CustomEventItem[];
    const names = data.flatMap(({ name, revenue }) => (revenue.length > 0 ? [name] : []));
    if (names.length === 0) return found;
    const counts = await countEventCurrencies(ctx, { ...(await filtersOf(ctx, input)), names });
    const countOf = (name: string, currency: string): number =>
      counts.find((row) => row.name === name && row.currency === currency)?.events ?? 0;
    return {
      ...found,
      data: data.map(({ name, revenue, ...row }) => ({
        ...{ name, ...row },
        revenue: revenue.map((of) => ({ ...of, events: countOf(name, of.currency) })),
      })),
    };
  },
};

/** The report `event-props` of a property's values, with the revenue of those that brought any. */
export const valuesWithRevenue = (name: string, key: string): OwnReport => ({
  ...reportNamed('event-props'),
  read: async (ctx, input, part) => {
    const found = await reportNamed('event-props').read(ctx, input, part);
    const rows = found.data as EventPropItem[];
    const values = rows.flatMap(({ value }) => value ?? []);
    if (values.length === 0) return found;
    const earned = await reportPropertyRevenue(ctx, { ...(await filtersOf(ctx, input)), name, key, values });
    const revenueOf = new Map(earned.map(({ value, revenue }) => [value, revenue]));
    return {
      ...found,
      data: rows.map((row) => {
        const revenue = row.value !== null && revenueOf.get(row.value);
        return revenue ? { ...row, revenue } : row;
      }),
    };
  },
});

/** Visits of tiers 2 and 3 by when they began, and how many of them reached a goal. `tier`: of this one alone. */
export const goalOverTime = (goal: string): OwnReport => ({
  input: reportNamed('timeseries').input,
  isList: false,
  read: async (ctx, input: object, part) => {
    const asked = input as TimeseriesInput;
    const pointsOf = async (own: Partial<TimeseriesInput>) => {
      const found = await reportNamed('timeseries').read(ctx, { ...asked, ...own } as never, part);
      return { meta: found.meta, points: found.data as TimeseriesPoint[] };
    };
    const reached: Filter = { dimension: 'goal', operator: 'is', values: [goal] };
    const [all, first, converted] = await Promise.all([
      pointsOf({}),
      asked.tier === undefined ? pointsOf({ tier: 1 }) : undefined,
      pointsOf({ filters: [...(asked.filters ?? []), reached] }),
    ]);
    const { timezone } = all.meta.range;
    const data = all.points.flatMap(({ time, visits: ofAll, partial }, n) => {
      const visits = ofAll - (first?.points[n]?.visits ?? 0);
      const conversions = converted.points[n]?.visits ?? 0;
      const row = {
        ...{ time: momentAt(time, { timezone, interval: asked.interval }), visits, conversions },
        ...{ conversionRate: meanOf(100 * conversions, visits), ...(partial && { partial }) },
      };
      return visits > 0 ? [row] : [];
    });
    return { data, meta: all.meta, more: false };
  },
});

/** How often an event happened in each hour, day, week or month, each by its time at the site. */
export const eventTimes = (name: string): OwnReport => ({
  input: reportNamed('timeseries').input,
  isList: false,
  read: async (ctx, input) => {
    const asked = await filtersOf<TimeseriesInput>(ctx, input);
    const { rows, meta } = await reportEventTimes(ctx, { ...asked, name });
    const { interval } = asked;
    const { timezone } = meta.range;
    const isPartial = partialOf(interval, meta);
    const data = rows.map(({ time, ends_at, revenue, ...counts }) => ({
      time: momentAt(new Date(time).toISOString(), { timezone, interval }),
      ...counts,
      ...(revenue.length > 0 && { revenue }),
      ...(isPartial({ time, ends_at }) && { partial: true }),
    }));
    return { data, meta, more: false };
  },
});
