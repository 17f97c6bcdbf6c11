/** The state of a site's page, which is the query of its address. Its names are those of the API. */
import { type FilterValue, readFilter, writeFilter } from '../../../lib/analytics/reading/filter-text.ts';
import { addDays, addMonths } from '../../../lib/dates.ts';
import { type CalendarPeriod, calendarDates, datesBefore } from '../../../lib/visits/calendar-periods.ts';
import { DIMENSIONS as OF_VISITS, STACKED, type StackedDimension } from '../../../lib/visits/dimensions.ts';
import { dateIn } from '../format.ts';

export const PERIODS = [
  ...(['today', 'yesterday', '24h', '7d', '28d', '30d', '90d'] as const),
  ...(['week', 'last_week', 'month', 'last_month', 'year', '12m', 'all'] as const),
] as const;
export type Period = (typeof PERIODS)[number];

export const METRICS = ['visitors', 'visits', 'pageviews'] as const;
export type Metric = (typeof METRICS)[number];

/** What the chart may draw: the metrics, what follows from them, and what consented visits tell. */
export const DRAWN = [...METRICS, 'viewsPerVisit', 'bounceRate', 'avgDuration'] as const;
export type Drawn = (typeof DRAWN)[number];

/** Dimensions by which the API splits, and the chart doesn't: they have a great many small parts, or few visits. */
const UNSPLIT = [
  'utm_source',
  'utm_medium',
  'utm_term',
  'utm_content',
  'region',
  'city',
  'exit_page',
] as const;
export type Split = Exclude<StackedDimension, (typeof UNSPLIT)[number]>;
/** The choices before the others. */
const USUAL: readonly Split[] = [
  ...(['channel', 'source', 'utm_campaign', 'entry_page', 'country', 'device', 'browser', 'os'] as const),
  ...(['language', 'hostname', 'tier'] as const),
];
/** By what the chart may be split, in the order of the choices: the names that the API has. Only metrics add up. */
export const SPLITS = [
  ...new Set([...USUAL, ...STACKED.filter((by): by is Split => !UNSPLIT.some((one) => one === by))]),
];
/** The dimension by which a click on a part filters. */
export const dimensionOf = (by: Split): KnownDimension => (by === 'tier' ? 'privacy_tier' : by);
export const isMetric = (drawn: Drawn): drawn is Metric => METRICS.some((metric) => metric === drawn);

/** The dimensions that a filter may have, in the order of lists to choose from. */
export const DIMENSIONS = [
  ...(['page', 'entry_page', 'exit_page'] as const),
  ...OF_VISITS,
  ...(['goal', 'privacy_tier'] as const),
];
export type KnownDimension = (typeof DIMENSIONS)[number];

const PROPERTY = 'prop_';

/** A dimension, or the property of custom events whose key follows `prop_`. */
export type Dimension = KnownDimension | `${typeof PROPERTY}${string}`;
export const byProperty = (key: string): Dimension => `${PROPERTY}${key}`;

/** The key of the property; undefined for another dimension. */
export const propertyOf = (dimension: Dimension): string | undefined =>
  dimension.startsWith(PROPERTY) ? dimension.slice(PROPERTY.length) : undefined;

/** Keeps visits by a dimension. */
export interface Filter extends FilterValue {
  dimension: Dimension;
}

/** Days of the site's zone, both inclusive. */
export interface Dates {
  from: string;
  to: string;
}

export const COMPARISONS = ['previous', 'weekdays', 'year'] as const;
/** The range that figures are compared with: the one before, the same a year before, or any dates. */
export type Comparison = (typeof COMPARISONS)[number] | Dates;

export interface SiteQuery {
  period: Period | Dates;
  compare?: Comparison | undefined;
  filters: readonly Filter[];
  /** The id of a segment, whose filters have to hold too. */
  segment?: string | undefined;
  metric: Drawn;
  by?: Split | undefined;
  interval?: 'hour' | 'day' | 'week' | 'month' | undefined;
}

export const DEFAULT_PERIOD: Period = '30d';

const PREFIX = 'filter_';

const oneOf = <Value extends string>(values: readonly Value[], text: string | null): Value | undefined =>
  values.find((value) => value === text);

/** Reads the query; what can't be read is left out. */
export function readSiteQuery(search: string): SiteQuery {
  const query = new URLSearchParams(search);
  const from = query.get('from');
  const to = query.get('to');
  return {
    period:
      isDate(from) && isDate(to) ? { from, to } : (oneOf(PERIODS, query.get('period')) ?? DEFAULT_PERIOD),
    compare: readComparison(query.get('compare') ?? ''),
    metric: oneOf(DRAWN, query.get('metric')) ?? 'visitors',
    by: oneOf(SPLITS, query.get('by')),
    interval: oneOf(['hour', 'day', 'week', 'month'] as const, query.get('interval')),
    segment: query.get('segment') || undefined,
    filters: [...query].flatMap(([name, text]) => filterOf(name, text)),
  };
}

/** The filters of a segment, and a segment's filters from those of the page. */
export const readSegment = (filters: Readonly<Record<string, string | number>>): Filter[] =>
  Object.entries(filters).flatMap(([name, text]) => filterOf(PREFIX + name, String(text)));
export const writeSegment = (filters: readonly Filter[]): Record<string, string | number> =>
  Object.fromEntries(
    filters.map((filter) => {
      const text = writeFilter(filter);
      return [filter.dimension, filter.dimension === 'privacy_tier' ? Number(text) : text];
    }),
  );

function readComparison(text: string): Comparison | undefined {
  const [from = null, to = null] = text.split('..');
  return isDate(from) && isDate(to) ? { from, to } : oneOf(COMPARISONS, text);
}

/** As the API takes it; undefined without a comparison. */
const writeComparison = (compare: SiteQuery['compare']): string | undefined =>
  typeof compare === 'object' ? `${compare.from}..${compare.to}` : compare;

const isDate = (text: string | null): text is string => /^\d{4}-\d\d-\d\d$/.test(text ?? '');

function filterOf(name: string, text: string): Filter[] {
  const dimension = dimensionIn(name);
  if (dimension === undefined) return [];
  const { operator, values: all } = readFilter(text);
  const values = all.filter((value) => value !== '');
  return values.length === 0 ? [] : [{ dimension, operator, values }];
}

function dimensionIn(name: string): Dimension | undefined {
  if (name.startsWith(PREFIX + PROPERTY)) return byProperty(name.slice(PREFIX.length + PROPERTY.length));
  return DIMENSIONS.find((one) => `${PREFIX}${one}` === name);
}

/** The query of an address, with its `?`. What is as by default is left out. */
export function writeSiteQuery(state: SiteQuery): string {
  const { period, compare, metric, by, interval, segment, filters } = state;
  const query = new URLSearchParams();
  if (typeof period === 'object') {
    query.set('from', period.from);
    query.set('to', period.to);
  } else if (period !== DEFAULT_PERIOD) query.set('period', period);
  const compared = writeComparison(compare);
  if (compared !== undefined) query.set('compare', compared);
  if (metric !== 'visitors') query.set('metric', metric);
  if (by !== undefined) query.set('by', by);
  if (interval !== undefined) query.set('interval', interval);
  if (segment !== undefined) query.set('segment', segment);
  for (const filter of filters) query.set(PREFIX + filter.dimension, writeFilter(filter));
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** With the filter instead of one by the same dimension. */
export const withFilter = (query: SiteQuery, filter: Filter): SiteQuery => ({
  ...query,
  filters: [...query.filters.filter(({ dimension }) => dimension !== filter.dimension), filter],
});

export const withoutFilter = (query: SiteQuery, dimension: Dimension): SiteQuery => ({
  ...query,
  filters: query.filters.filter((filter) => filter.dimension !== dimension),
});

/** The goal that the filters choose, if it is one alone. */
export function chosenGoal({ filters }: SiteQuery): string | undefined {
  const [value, ...more] = filters
    .filter(({ dimension, operator }) => dimension === 'goal' && operator === 'is')
    .flatMap(({ values }) => values);
  return more.length === 0 ? value : undefined;
}

/** What lists are asked with a chosen goal: all visits, of which those that reached it are conversions. */
export const withoutGoal = ({ filter_goal: _, ...asked }: Asked): Asked => asked;

/** The parameters that all reports take. */
export type Asked = { siteId: string } & Partial<
  Record<'from' | 'to' | 'segment' | `filter_${Exclude<Dimension, 'privacy_tier'>}`, string>
> & { period?: '24h' | '7d' | '30d' | '90d'; filter_privacy_tier?: 1 | 2 | 3 };

/** The periods of the calendar, as agents call them. */
const CALENDAR = {
  ...{ today: 'today', yesterday: 'yesterday', week: 'this_week', last_week: 'last_week' },
  ...{ month: 'this_month', last_month: 'last_month' },
} as const satisfies Partial<Record<Period, CalendarPeriod>>;
const isOfCalendar = (period: SiteQuery['period']): period is keyof typeof CALENDAR =>
  typeof period === 'string' && period in CALENDAR;

/** Reports go back as far as visits are kept at most. */
const MOST_MONTHS = 25;

/** The days of a period in the site's zone, both inclusive. `24h` touches two. */
export function datesOf(period: SiteQuery['period'], zone: string, now: number): Dates {
  if (typeof period === 'object') return period;
  const to = dateIn(zone, now);
  switch (period) {
    case '24h':
      return { from: addDays(to, -1), to };
    case '7d':
    case '28d':
    case '30d':
    case '90d':
      return { from: addDays(to, 1 - Number.parseInt(period, 10)), to };
    case 'year':
      return { from: `${to.slice(0, 4)}-01-01`, to };
    case '12m':
      return { from: addDays(addMonths(to, -12), 1), to };
    case 'all':
      return { from: addDays(addMonths(to, -MOST_MONTHS), 1), to };
    default:
      return calendarDates(CALENDAR[period], now, zone);
  }
}

/** Periods that the API doesn't name become dates of the site's zone. */
export function askedOf(
  siteId: string,
  { period, segment, filters }: SiteQuery,
  zone: string,
  now: number,
): Asked {
  const filtered = Object.fromEntries(
    filters.map((filter) => [PREFIX + filter.dimension, writeFilter(filter)]),
  );
  return {
    siteId,
    ...(isNamed(period) ? { period } : datesOf(period, zone, now)),
    ...filtered,
    ...(segment !== undefined && { segment }),
  };
}

/** What reports are asked to compare with. Before a week or month of the calendar is the one before, and before the present one its same days. */
export function comparedOf({ period, compare }: SiteQuery, { from, to }: Asked): string | undefined {
  return isOfCalendar(period) && compare === 'previous' && from !== undefined && to !== undefined
    ? writeComparison(datesBefore(CALENDAR[period], { from, to }))
    : writeComparison(compare);
}

const NAMED = ['24h', '7d', '30d', '90d'] as const;
const isNamed = (period: SiteQuery['period']): period is (typeof NAMED)[number] =>
  NAMED.some((one) => one === period);
