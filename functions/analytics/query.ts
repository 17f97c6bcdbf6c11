/** Query parameters of reports: strict objects of text, as they come in a URL (docs/reports.md#range). */
import * as v from 'valibot';
import { isDate, isWithinMonths } from '../../lib/analytics/dates.ts';
import { FILTER_DIMENSIONS, type Filter, type FilterDimension } from '../../lib/analytics/filters.ts';
import { daysOf, type Period, type Range } from '../../lib/analytics/range.ts';
import type { Interval } from '../../lib/analytics/timeseries.ts';
import { ruleOf } from '../../lib/http/issues.ts';
import { paging } from '../../lib/http/paging.ts';
import { Language } from '../../lib/languages.ts';

/** The longest `retentionMonths` (docs/sites.md#privacy-policy). */
const MAX_RANGE_MONTHS = 25;
const MAX_DAYS_BY_HOUR = 31;
const DEFAULT_PERIOD = '30d';

const CalendarDate = (description: string) =>
  v.pipe(
    v.string(),
    v.description(description),
    v.check(isDate, 'must be a date like 2026-11-21'),
    v.metadata({ jsonSchema: { type: 'string', format: 'date', description } }),
  );

const tierFilter = {
  filter_privacy_tier: v.optional(
    v.pipe(
      v.picklist(['1', '2', '3']),
      v.metadata({
        jsonSchema: {
          type: 'integer',
          enum: [1, 2, 3],
          description: 'Only what was collected as 1 anonymous counts, 2 anonymous sessions, 3 consented.',
        },
      }),
    ),
  ),
};

const FilterText = (dimension: string) =>
  v.optional(
    v.pipe(
      v.string(),
      v.description(
        dimension === 'goal'
          ? 'Only visits that reached one of the goals `a|b`, none of `!a|b`, or one with a part of `~a|b` in its name; by name or id.'
          : `Only visits whose ${dimension.replaceAll('_', ' ')} is one of \`a|b\`, none of \`!a|b\`, or has a part of \`~a|b\` in it.`,
      ),
      v.maxLength(MAX_FILTER_LENGTH),
      v.check(isFilter, `must be 1 to ${MAX_ALTERNATIVES} values, none of them empty`),
    ),
  );

const MAX_FILTER_LENGTH = 2048;
const MAX_ALTERNATIVES = 20;

/** `a|b`, `!a|b` or `~a|b` (docs/reports.md#filters). */
function readFilter(dimension: FilterDimension, text: string): Filter {
  const operator = text.startsWith('!') ? 'not' : text.startsWith('~') ? 'contains' : 'is';
  return { dimension, operator, values: text.slice(operator === 'is' ? 0 : 1).split('|') };
}

function isFilter(text: string): boolean {
  const { values } = readFilter('page', text);
  return values.length <= MAX_ALTERNATIVES && !values.includes('');
}

type FilterName = `filter_${FilterDimension}`;

const filters = {
  ...tierFilter,
  ...(Object.fromEntries(
    FILTER_DIMENSIONS.map((dimension) => [`filter_${dimension}`, FilterText(dimension)]),
  ) as Record<FilterName, ReturnType<typeof FilterText>>),
};

const dates = {
  period: v.optional(
    v.pipe(
      v.picklist(['24h', '7d', '30d', '90d']),
      v.description(
        `The last 24 whole hours with the present one, or whole days with today, in the site’s zone. Default \`${DEFAULT_PERIOD}\`.`,
      ),
    ),
  ),
  from: v.optional(CalendarDate('First day, in the site’s zone. Goes with `to`, in place of `period`.')),
  to: v.optional(CalendarDate(`Last day, inclusive. At most ${MAX_RANGE_MONTHS} months in all.`)),
};

interface RangeQuery {
  period?: Period | undefined;
  from?: string | undefined;
  to?: string | undefined;
  filter_privacy_tier?: '1' | '2' | '3' | undefined;
  interval?: Interval | undefined;
}

interface Broken {
  path: keyof RangeQuery;
  message: string;
}

/** The rule between parameters that a query breaks. */
function findBroken({ period, from, to, interval }: RangeQuery): Broken | undefined {
  if (from === undefined && to !== undefined) return { path: 'from', message: 'must come with `to`' };
  if (to === undefined && from !== undefined) return { path: 'to', message: 'must come with `from`' };
  if (from !== undefined && to !== undefined) {
    if (period !== undefined) return { path: 'period', message: 'must not come with `from` and `to`' };
    if (to < from) return { path: 'to', message: 'must not be before `from`' };
    if (!isWithinMonths(from, to, MAX_RANGE_MONTHS))
      return { path: 'to', message: `must be within ${MAX_RANGE_MONTHS} months of \`from\`` };
  }
  if (interval === 'hour' && daysOf(rangeOf({ period, from, to })) > MAX_DAYS_BY_HOUR)
    return { path: 'interval', message: `must not be hour for more than ${MAX_DAYS_BY_HOUR} days` };
  return undefined;
}

function withDates<Entries extends v.ObjectEntries>(
  entries: Entries,
  message: v.ErrorMessage<v.StrictObjectIssue> = ruleOf,
) {
  return v.pipe(
    v.strictObject({ ...dates, ...entries }, message),
    v.description('A range, by `period` or by `from` and `to`.'),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const input = dataset.value as RangeQuery & Record<string, unknown>;
      const broken = findBroken(input);
      if (broken === undefined) return;
      const { path: key, message } = broken;
      addIssue({ message, path: [{ type: 'object', origin: 'value', input, key, value: input[key] }] });
    }),
  );
}

export const withRange = <Entries extends v.ObjectEntries>(entries: Entries) =>
  withDates({ ...filters, ...entries });

export const IntervalName = v.pipe(
  v.picklist(['hour', 'day', 'week', 'month']),
  v.description(`Default \`hour\` for 24h, else \`day\`. \`hour\` for at most ${MAX_DAYS_BY_HOUR} days.`),
);
export const SortName = v.pipe(
  v.picklist(['reach', 'pageviews']),
  v.description('`reach`: visitors and anonymous-count page views.'),
);
export const CampaignParameter = v.pipe(
  v.picklist(['source', 'medium', 'campaign', 'term', 'content']),
  v.description('Which of the campaign parameters.'),
);

/** The filters of reports that are sums by page, which know no visit. */
export const MEASURE_FILTERS = ['filter_page', 'filter_privacy_tier'];
export const NO_MEASURE_FILTER =
  'is no filter of this report: it takes `filter_page` and `filter_privacy_tier`';

const isFilterName = (key: unknown): boolean => FILTER_DIMENSIONS.some((name) => key === `filter_${name}`);

export const MeasuresQuery = withDates(
  { ...tierFilter, filter_page: filters.filter_page, ...paging },
  (issue) => (isFilterName(issue.path?.at(-1)?.key) ? NO_MEASURE_FILTER : ruleOf(issue)),
);

/** Refused events have no dimension to filter by. */
export const DroppedQuery = withDates({});
export const OverviewQuery = withRange({});
export const TimeseriesQuery = withRange({ interval: v.optional(IntervalName) });
export const PagesQuery = withRange({ ...paging, sort: v.optional(SortName, 'reach') });
export const ValuesQuery = withRange(paging);
export const UtmQuery = withRange({ ...paging, by: CampaignParameter });
export const AnnotationsQuery = withDates({});
export const LiveQuery = v.strictObject(tierFilter);
export const PrivacyQuery = v.strictObject({ language: v.optional(Language, 'en') });

export function rangeOf({ period, from, to }: RangeQuery): Range {
  return from === undefined || to === undefined ? { period: period ?? DEFAULT_PERIOD } : { from, to };
}

export const tierOf = ({ filter_privacy_tier: tier }: Pick<RangeQuery, 'filter_privacy_tier'>) =>
  tier === undefined ? undefined : TIERS[tier];

/** The filters of a query, but the tier's. */
export const filtersOf = (query: Partial<Record<FilterName, string | undefined>>): Filter[] =>
  FILTER_DIMENSIONS.flatMap((dimension) => {
    const text = query[`filter_${dimension}`];
    return text === undefined ? [] : [readFilter(dimension, text)];
  });

const TIERS = { '1': 1, '2': 2, '3': 3 } as const;

export const intervalOf = ({ interval, period }: RangeQuery): Interval =>
  interval ?? (period === '24h' ? 'hour' : 'day');
