/** The state of a site's page, which is the query of its address. Its names are those of the API. */
import { dateIn } from '../format.ts';

export const PERIODS = ['today', 'yesterday', '24h', '7d', '30d', '90d', 'month', 'year'] as const;
export type Period = (typeof PERIODS)[number];

export const METRICS = ['visitors', 'visits', 'pageviews'] as const;
export type Metric = (typeof METRICS)[number];

export const DIMENSIONS = [
  ...['page', 'entry_page', 'exit_page', 'source', 'channel'],
  ...['utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content'],
  ...['country', 'region', 'city', 'device', 'browser', 'os', 'language', 'hostname', 'goal', 'privacy_tier'],
] as const;
export type Dimension =
  | 'page'
  | 'entry_page'
  | 'exit_page'
  | 'source'
  | 'channel'
  | `utm_${'source' | 'medium' | 'campaign' | 'term' | 'content'}`
  | 'country'
  | 'region'
  | 'city'
  | 'device'
  | 'browser'
  | 'os'
  | 'language'
  | 'hostname'
  | 'goal'
  | 'privacy_tier';

export type Operator = 'is' | 'not' | 'contains';

/** Keeps visits by a dimension. */
export interface Filter {
  dimension: Dimension;
  operator: Operator;
  values: readonly string[];
}

export interface SiteQuery {
  period: Period | { from: string; to: string };
  filters: readonly Filter[];
  metric: Metric;
  interval?: 'hour' | 'day' | 'week' | 'month' | undefined;
}

export const DEFAULT_PERIOD: Period = '30d';

const PREFIX = 'filter_';
const SIGNS: Record<Operator, string> = { is: '', not: '!', contains: '~' };

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
    metric: oneOf(METRICS, query.get('metric')) ?? 'visitors',
    interval: oneOf(['hour', 'day', 'week', 'month'] as const, query.get('interval')),
    filters: [...query].flatMap(([name, text]) => readFilter(name, text)),
  };
}

const isDate = (text: string | null): text is string => /^\d{4}-\d\d-\d\d$/.test(text ?? '');

function readFilter(name: string, text: string): Filter[] {
  const dimension = DIMENSIONS.find((one) => `${PREFIX}${one}` === name) as Dimension | undefined;
  if (dimension === undefined || text === '') return [];
  const operator = text.startsWith('!') ? 'not' : text.startsWith('~') ? 'contains' : 'is';
  const values = text
    .slice(SIGNS[operator].length)
    .split('|')
    .filter((value) => value !== '');
  return values.length === 0 ? [] : [{ dimension, operator, values }];
}

const textOf = ({ operator, values }: Filter): string => SIGNS[operator] + values.join('|');

/** The query of an address, with its `?`. What is as by default is left out. */
export function writeSiteQuery({ period, metric, interval, filters }: SiteQuery): string {
  const query = new URLSearchParams();
  if (typeof period === 'object') {
    query.set('from', period.from);
    query.set('to', period.to);
  } else if (period !== DEFAULT_PERIOD) query.set('period', period);
  if (metric !== 'visitors') query.set('metric', metric);
  if (interval !== undefined) query.set('interval', interval);
  for (const filter of filters) query.set(PREFIX + filter.dimension, textOf(filter));
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** With the filter in place of one by the same dimension. */
export const withFilter = (query: SiteQuery, filter: Filter): SiteQuery => ({
  ...query,
  filters: [...query.filters.filter(({ dimension }) => dimension !== filter.dimension), filter],
});

export const withoutFilter = (query: SiteQuery, dimension: Dimension): SiteQuery => ({
  ...query,
  filters: query.filters.filter((filter) => filter.dimension !== dimension),
});

/** The parameters that all reports take. */
export type Asked = { siteId: string } & Partial<
  Record<'from' | 'to' | `filter_${Exclude<Dimension, 'privacy_tier'>}`, string>
> & { period?: '24h' | '7d' | '30d' | '90d'; filter_privacy_tier?: 1 | 2 | 3 };

/** Periods that the API doesn't name become dates of the site's zone. */
export function askedOf(siteId: string, { period, filters }: SiteQuery, zone: string, now: number): Asked {
  const filtered = Object.fromEntries(filters.map((filter) => [PREFIX + filter.dimension, textOf(filter)]));
  return { siteId, ...rangeOf(period, zone, now), ...filtered };
}

function rangeOf(
  period: SiteQuery['period'],
  zone: string,
  now: number,
): Pick<Asked, 'period' | 'from' | 'to'> {
  if (typeof period === 'object') return period;
  const today = dateIn(zone, now);
  switch (period) {
    case 'today':
      return { from: today, to: today };
    case 'yesterday': {
      const day = dayBefore(today);
      return { from: day, to: day };
    }
    case 'month':
      return { from: `${today.slice(0, 8)}01`, to: today };
    case 'year':
      return { from: `${today.slice(0, 5)}01-01`, to: today };
    default:
      return { period };
  }
}

function dayBefore(date: string): string {
  const at = new Date(`${date}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() - 1);
  return at.toISOString().slice(0, 10);
}
