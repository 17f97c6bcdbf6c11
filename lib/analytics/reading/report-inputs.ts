/** The inputs of reports: one schema per report, for REST, exports and shares. */
import * as v from 'valibot';
import { text } from '../../collection/track-message.ts';
import { isDate, isWithinMonths } from '../../dates.ts';
import { Id, oneTo } from '../../fields.ts';
import { paging } from '../../paging.ts';
import { ruleOf } from '../../rules.ts';
import { DIMENSIONS, STACKED } from '../../visits/dimensions.ts';
import { OTHER } from '../../visits/other-value.ts';
import { PERIODS, type Period } from '../../visits/periods.ts';
import { VITALS } from '../../visits/vital-bounds.ts';
import { Tier } from '../answers/schemas.ts';
import { type FilterValue, readFilter } from './filter-text.ts';
import { FILTER_DIMENSIONS, type Filter, type FilterDimension } from './filters.ts';
import { type Compare, daysOf, type Interval, type Range, SHIFTS } from './report-range.ts';

/** The maximum of `retentionMonths`. */
const MAX_RANGE_MONTHS = 25;
const MAX_DAYS_BY_HOUR = 31;
const MAX_COHORT_WEEKS = 13;
const DEFAULT_PERIOD = '30d';

/** The maximum of `minMeasured` and `minVisits`. */
const MAX_LEAST = 1_000_000;

const MAX_PARTS = 10;
const DEFAULT_PARTS = 5;

const MAX_FILTER_LENGTH = 2048;
const MAX_ALTERNATIVES = 20;
const MAX_PROPERTIES = 8;

/** Maximum lengths of an event's name, a property's key and a path (`StoredEvent`). */
const MAX_NAME_LENGTH = 64;
const MAX_PATH_LENGTH = 1024;
const MAX_GOAL_LENGTH = 200;

/** A day of the site's zone, like 2026-11-21. */
export const CalendarDate = (description: string) =>
  v.pipe(
    v.string(),
    v.description(description),
    v.check(isDate, 'must be a date like 2026-11-21'),
    v.metadata({ jsonSchema: { type: 'string', format: 'date', description } }),
  );

const dates = {
  period: v.optional(
    v.pipe(
      v.picklist(PERIODS),
      v.description(
        `The last 24 whole hours with the present one, or whole days with today, in the site’s zone. Default \`${DEFAULT_PERIOD}\`.`,
      ),
    ),
  ),
  from: v.optional(CalendarDate('First day, in the site’s zone. Goes with `to`, instead of `period`.')),
  to: v.optional(CalendarDate(`Last day, inclusive. At most ${MAX_RANGE_MONTHS} months in all.`)),
};

/** What `compare` says; undefined if it says nothing that can be. */
function readCompare(text: string): Compare | undefined {
  const shift = SHIFTS.find((one) => one === text);
  if (shift !== undefined) return shift;
  const [from = '', to = '', ...more] = text.split('..');
  const isRange = isDate(from) && isDate(to) && more.length === 0 && from <= to;
  return isRange && isWithinMonths(from, to, MAX_RANGE_MONTHS) ? { from, to } : undefined;
}

const compare = v.optional(
  v.pipe(
    v.string(),
    v.description(
      'Adds `previous` to the figures: those of the same length just before (`previous`), of the same days of the week just before ' +
        '(`weekdays`), of the same dates a year before (`year`), or ' +
        `of other dates, \`2026-01-01..2026-01-31\`, both inclusive, at most ${MAX_RANGE_MONTHS} months.`,
    ),
    v.rawTransform(({ dataset, addIssue, NEVER }) => {
      const read = readCompare(dataset.value);
      if (read !== undefined) return read;
      addIssue({
        message: `must be previous, weekdays, year, or two dates like 2026-01-01..2026-01-31 within ${MAX_RANGE_MONTHS} months`,
      });
      return NEVER;
    }),
  ),
);

const MAX_SEARCH_LENGTH = 200;

const searched = {
  search: v.optional(
    v.pipe(
      text(MAX_SEARCH_LENGTH),
      v.nonEmpty(),
      v.description(
        'Only rows with this text in their name, in upper or lower case. Their figures stay the same: unlike a filter, it chooses no visits.',
      ),
    ),
  ),
};

/** The parameters of lists. */
const listing = { ...paging, ...searched };

const PrivacyTier = v.pipe(
  Tier,
  v.description('Only what was collected as 1 anonymous counts, 2 anonymous sessions, 3 consented.'),
);

function isFilter(filter: string): boolean {
  const { values } = readFilter(filter);
  return values.length <= MAX_ALTERNATIVES && !values.includes('');
}

const FilterText = (description: string) =>
  v.pipe(
    v.string(),
    v.description(description),
    v.maxLength(MAX_FILTER_LENGTH),
    v.check(isFilter, `must be 1 to ${MAX_ALTERNATIVES} values, none of them empty`),
    v.transform(readFilter),
  );

const filterBy = (dimension: FilterDimension) =>
  v.optional(
    FilterText(
      dimension === 'goal'
        ? 'Only visits that reached one of the goals `a|b`, none of `!a|b`, or one with a part of `~a|b` in its name; by name or id.'
        : `Only visits whose ${dimension.replaceAll('_', ' ')} is one of \`a|b\`, none of \`!a|b\`, or has a part of \`~a|b\` in it.`,
    ),
  );

const tierEntry = { privacy_tier: v.optional(PrivacyTier) };
const filterEntries = Object.fromEntries(
  FILTER_DIMENSIONS.map((dimension) => [dimension, filterBy(dimension)]),
) as Record<FilterDimension, ReturnType<typeof filterBy>>;

const PROPERTY = 'prop_';
type PropertyName = `${typeof PROPERTY}${string}`;
const isProperty = (name: string): name is PropertyName => name.startsWith(PROPERTY);
const PropertyFilter = FilterText(
  'Only visits with a page view or custom event that has one of the values of this property.',
);

/** Why a filter can't be by this property; undefined if it can. `index` counts the filters by properties from 0. */
function faultOf(name: PropertyName, index: number): string | undefined {
  const { length } = name.slice(PROPERTY.length);
  if (length === 0 || length > MAX_NAME_LENGTH)
    return `must name a property of 1 to ${MAX_NAME_LENGTH} characters`;
  return index < MAX_PROPERTIES
    ? undefined
    : `must be one of at most ${MAX_PROPERTIES} filters by properties`;
}

/** Filters of visits: by tier, by dimensions, and by properties of page views and custom events (`prop_<key>`). */
export const Filters = v.pipe(
  v.looseObject({ ...tierEntry, ...filterEntries }),
  v.rawTransform(({ dataset, addIssue }): NamedFilters => {
    const input = dataset.value;
    const { known, other = [] } = Object.groupBy(Object.entries(input), ([name]) =>
      name in tierEntry || name in filterEntries ? 'known' : 'other',
    );
    const refuse = ([key, value]: [string, unknown], message: string) =>
      addIssue({ message, path: [{ type: 'object', origin: 'value', input, key, value }] });
    for (const entry of other) if (!isProperty(entry[0])) refuse(entry, 'is not a known field');
    const properties = other
      .filter(([name]) => isProperty(name))
      .flatMap((entry, index) => {
        const [name, text] = entry as [PropertyName, unknown];
        const { success, output, issues = [] } = v.safeParse(PropertyFilter, text, { message: ruleOf });
        const faults = [faultOf(name, index) ?? [], issues.map(({ message }) => message)].flat();
        for (const fault of faults.slice(0, 1)) refuse(entry, fault);
        return success ? [[name, output]] : [];
      });
    return Object.fromEntries([...(known ?? []), ...properties]);
  }),
);

/** The filters of reports that are sums by page, without single visits. */
const MeasureFilters = v.strictObject({ ...tierEntry, page: filterEntries.page }, (issue) => {
  const name = String(issue.path?.at(-1)?.key);
  return isProperty(name) || FILTER_DIMENSIONS.some((known) => known === name)
    ? 'is no filter of this report: attention to consented page views (tier 3) is summed by page, not by device, country or source. It takes `filter_page` and `filter_privacy_tier`'
    : 'is not a known field';
});

const TierFilter = v.strictObject(tierEntry);

interface RangeFields {
  period?: Period | undefined;
  from?: string | undefined;
  to?: string | undefined;
}

type NamedFilters = { privacy_tier?: Tier | undefined } & {
  [Name in FilterDimension | PropertyName]?: FilterValue | undefined;
};

interface FilterFields {
  filters?: NamedFilters | undefined;
}

const rangeOf = ({ period, from, to }: RangeFields): Range =>
  from === undefined || to === undefined ? { period: period ?? DEFAULT_PERIOD } : { from, to };

/** Filters in the form that the verbs take, in the same order whatever the order in the request. */
export function filtersOf({ filters: { privacy_tier: tier, ...named } = {} }: FilterFields) {
  const byDimension = FILTER_DIMENSIONS.flatMap((dimension): Filter[] => {
    const filter = named[dimension];
    return filter === undefined ? [] : [{ dimension, ...filter }];
  });
  const byProperty = Object.keys(named)
    .filter(isProperty)
    .sort()
    .flatMap((name): Filter[] => {
      const filter = named[name];
      return filter === undefined ? [] : [{ dimension: 'prop', key: name.slice(PROPERTY.length), ...filter }];
    });
  return { tier, filters: [...byDimension, ...byProperty] };
}

interface Broken {
  path: 'period' | 'from' | 'to' | 'interval' | 'compare' | 'limit' | 'sort';
  message: string;
}

/** The rule between fields that an input breaks. */
type Rule = (
  input: RangeFields & {
    interval?: Interval | undefined;
    compare?: Compare | undefined;
    by?: string | undefined;
    limit?: number | undefined;
    sort?: string | undefined;
    goal?: string | undefined;
    filters?: NamedFilters | undefined;
  },
) => Broken | undefined;

const oneRange: Rule = ({ period, from, to }) => {
  if (from === undefined && to !== undefined) return { path: 'from', message: 'must come with `to`' };
  if (to === undefined && from !== undefined) return { path: 'to', message: 'must come with `from`' };
  if (from === undefined || to === undefined) return undefined;
  if (period !== undefined) return { path: 'period', message: 'must not come with `from` and `to`' };
  if (to < from) return { path: 'to', message: 'must not be before `from`' };
  if (isWithinMonths(from, to, MAX_RANGE_MONTHS)) return undefined;
  return { path: 'to', message: `must be within ${MAX_RANGE_MONTHS} months of \`from\`` };
};

const fewHours: Rule = ({ interval, compare, ...input }) => {
  const isLong = (range: Range) => daysOf(range) > MAX_DAYS_BY_HOUR;
  if (interval === 'hour' && isLong(rangeOf(input)))
    return { path: 'interval', message: `must not be hour for more than ${MAX_DAYS_BY_HOUR} days` };
  const isByHour = interval === 'hour' || (interval === undefined && input.period === '24h');
  return isByHour && typeof compare === 'object' && isLong(compare)
    ? { path: 'compare', message: `must not be more than ${MAX_DAYS_BY_HOUR} days by hour` }
    : undefined;
};

const limitOfParts: Rule = ({ by, limit }) =>
  limit !== undefined && by === undefined ? { path: 'limit', message: 'must come with `by`' } : undefined;

const goalToSortBy: Rule = ({ sort, goal: named, filters }) =>
  GOAL_SORTS.some((name) => name === sort) && named === undefined && filters?.goal === undefined
    ? { path: 'sort', message: `must be ${sort} only with \`goal\`` }
    : undefined;

const fewCohorts: Rule = (input) =>
  daysOf(rangeOf(input)) <= 7 * MAX_COHORT_WEEKS
    ? undefined
    : { path: 'to', message: `must be within ${MAX_COHORT_WEEKS} weeks of \`from\`` };

/** A strict object with a range and other fields, with rules between the fields. */
const ranged = <Entries extends v.ObjectEntries>(entries: Entries, ...rules: Rule[]) =>
  v.pipe(
    v.strictObject({ siteId: Id, ...dates, ...entries }),
    v.description('A range, by `period` or by `from` and `to`.'),
    v.rawCheck(({ dataset, addIssue }) => {
      if (!dataset.typed) return;
      const input: Record<string, unknown> & RangeFields = dataset.value;
      const broken = [oneRange, ...rules].reduce<Broken | undefined>(
        (found, rule) => found ?? rule(input),
        undefined,
      );
      if (broken === undefined) return;
      const { path: key, message } = broken;
      addIssue({ message, path: [{ type: 'object', origin: 'value', input, key, value: input[key] }] });
    }),
  );

/** Converts the range and the filters of an input to the form that the verbs take. Other fields stay. */
function asked<Input extends RangeFields & FilterFields>(input: Input) {
  const { period, from, to, filters, ...others } = input;
  return { ...others, range: rangeOf({ period, from, to }), ...filtersOf({ filters }) };
}

const segment = v.optional(v.pipe(Id, v.description('The id of a segment, whose filters have to hold too.')));
const filtered = { filters: v.optional(Filters), segment };
const measureFilters = { filters: v.optional(MeasureFilters), segment };

export const RangeOnly = v.pipe(
  ranged({}),
  v.transform(({ siteId, ...range }) => ({ siteId, range: rangeOf(range) })),
);

/** A report without parameters of its own. */
export const AnyReport = v.pipe(ranged(filtered), v.transform(asked));

export const OverviewInput = v.pipe(ranged({ ...filtered, compare }), v.transform(asked));

/** By what a list of values can be sorted. */
export const VALUE_SORTS = ['visits', 'visitors', 'pageviews'] as const;
export type ValueSort = (typeof VALUE_SORTS)[number];

/** By what a list of pages can be sorted. */
export const PAGE_SORTS = ['reach', ...VALUE_SORTS] as const;
export type PageSort = (typeof PAGE_SORTS)[number];

/** The further sorts of a list with conversions. */
const GOAL_SORTS = ['conversions', 'conversionRate'] as const;
export type GoalSort = (typeof GOAL_SORTS)[number];

/** Rates of fewer visits say little: a list that is sorted by its rates leaves these rows out. */
export const FEWEST_FOR_RATES = 10;

const goal = v.optional(
  v.pipe(
    text(MAX_GOAL_LENGTH),
    v.nonEmpty(),
    v.description(
      'A goal by name or id: rows have its `conversions`, `exactVisits` and `conversionRate`. Without it, the only goal of `filter_goal`.',
    ),
  ),
);

const sortedBy = <const Sorts extends readonly [string, ...string[]], const First extends Sorts[number]>(
  sorts: Sorts,
  first: First,
  description: string,
) =>
  v.optional(
    v.pipe(
      v.picklist(sorts),
      v.description(
        `${description} \`conversions\`, \`conversionRate\`: with a goal alone, the latter with rows of at least ${FEWEST_FOR_RATES} \`exactVisits\`.`,
      ),
    ),
    first,
  );

const REACH = '`reach`: visitors and anonymous-count page views.';

/** Goals, which are too few to need paging. */
export const GoalsInput = v.pipe(ranged({ ...filtered, compare, ...searched }), v.transform(asked));

const valueSort = sortedBy(
  [...VALUE_SORTS, ...GOAL_SORTS],
  'visits',
  'The figure by which the rows are sorted.',
);

/** A list of values. */
export const ValuesInput = v.pipe(
  ranged(
    {
      ...filtered,
      compare,
      ...listing,
      goal,
      sort: valueSort,
    },
    goalToSortBy,
  ),
  v.transform(asked),
);

/** A list of custom events. */
export const EventsInput = v.pipe(ranged({ ...filtered, compare, ...listing }), v.transform(asked));

export const EdgePagesInput = v.pipe(
  ranged(
    {
      ...filtered,
      compare,
      ...listing,
      goal,
      sort: sortedBy([...PAGE_SORTS, ...GOAL_SORTS], 'visits', REACH),
    },
    goalToSortBy,
  ),
  v.transform(asked),
);

export const LiveInput = v.pipe(
  v.strictObject({ siteId: Id, filters: v.optional(TierFilter), segment }),
  v.transform(({ siteId, filters, segment }) => ({
    siteId,
    tier: filters?.privacy_tier,
    ...(segment !== undefined && { segment }),
  })),
);

export const TimeseriesInput = v.pipe(
  ranged(
    {
      ...filtered,
      compare,
      interval: v.optional(
        v.pipe(
          v.picklist(['hour', 'day', 'week', 'month']),
          v.description(
            `Default \`hour\` for 24h, else \`day\`. \`hour\` for at most ${MAX_DAYS_BY_HOUR} days.`,
          ),
        ),
      ),
      by: v.optional(
        v.pipe(
          v.picklist(STACKED),
          v.description('Adds `parts` to each point: its figures by the values of this dimension.'),
        ),
      ),
      limit: v.optional(
        v.pipe(
          oneTo(MAX_PARTS),
          v.description(
            `With \`by\`: how many values have a part, those with the most visits. Default ${DEFAULT_PARTS}. All others together are \`${OTHER}\`.`,
          ),
        ),
      ),
    },
    fewHours,
    limitOfParts,
  ),
  v.transform(({ interval, by, limit = DEFAULT_PARTS, ...input }) => ({
    ...asked(input),
    interval: interval ?? (input.period === '24h' ? 'hour' : 'day'),
    ...(by !== undefined && { stack: { by, limit } }),
  })),
);

export const PagesInput = v.pipe(
  ranged(
    {
      ...filtered,
      compare,
      ...listing,
      goal,
      sort: sortedBy([...PAGE_SORTS, ...GOAL_SORTS], 'reach', REACH),
    },
    goalToSortBy,
  ),
  v.transform(asked),
);

export const CAMPAIGN_PARAMETERS = ['source', 'medium', 'campaign', 'term', 'content'] as const;

export const CampaignsInput = v.pipe(
  ranged(
    {
      ...filtered,
      compare,
      ...listing,
      goal,
      sort: valueSort,
      by: v.pipe(v.picklist(CAMPAIGN_PARAMETERS), v.description('Which of the campaign parameters.')),
    },
    goalToSortBy,
  ),
  v.transform(asked),
);

/** By what page loads are listed. */
export const VITALS_BY = ['page', 'site', ...DIMENSIONS] as const;
export type VitalsBy = (typeof VITALS_BY)[number];
export const VITALS_SORTS = ['measured', ...VITALS] as const;
export type VitalsSort = (typeof VITALS_SORTS)[number];

export const VitalsInput = v.pipe(
  ranged({
    ...filtered,
    compare,
    ...listing,
    by: v.optional(
      v.pipe(
        v.picklist(VITALS_BY),
        v.description('By what page loads are listed. `site`: one row, of the whole site.'),
      ),
      'page',
    ),
    sort: v.optional(
      v.pipe(
        v.picklist(VITALS_SORTS),
        v.description('Most loads first, or the slowest by the p75 of a vital.'),
      ),
      'measured',
    ),
    minMeasured: v.optional(
      v.pipe(oneTo(MAX_LEAST), v.description('Only rows of as many loads: the p75 of a few says little.')),
      1,
    ),
  }),
  v.transform(({ by, ...input }) => ({ ...asked(input), group: by })),
);

/** By what visits are grouped: a dimension, the page on which they began or ended, or each page that they saw. */
export const QUALITY_BY = [...DIMENSIONS, 'page', 'entry_page', 'exit_page'] as const;
export type QualityBy = (typeof QUALITY_BY)[number];
export const QUALITY_SORTS = ['visits', 'bounceRate', 'avgDuration'] as const;
export type QualitySort = (typeof QUALITY_SORTS)[number];

export const VisitQualityInput = v.pipe(
  ranged({
    ...filtered,
    ...listing,
    by: v.pipe(
      v.picklist(QUALITY_BY),
      v.description('By what visits are grouped. `page`: each page that they saw.'),
    ),
    sort: v.optional(
      v.pipe(
        v.picklist(QUALITY_SORTS),
        v.description('Most visits first, or the highest bounce rate, or the longest visits.'),
      ),
      'visits',
    ),
    minVisits: v.optional(
      v.pipe(oneTo(MAX_LEAST), v.description('Only rows of as many visits: the rates of a few say little.')),
      1,
    ),
  }),
  v.transform(asked),
);

/** The input of reports that are sums by page. */
export const MeasuresInput = v.pipe(ranged({ ...measureFilters, compare, ...listing }), v.transform(asked));

const PropertyKey = v.optional(
  v.pipe(
    text(MAX_NAME_LENGTH),
    v.nonEmpty(),
    v.description('Lists the values of this key. Without it, the keys are listed.'),
  ),
);

export const EventPropsInput = v.pipe(
  ranged({
    ...filtered,
    compare,
    ...listing,
    name: v.pipe(text(MAX_NAME_LENGTH), v.nonEmpty(), v.description('The event’s name.')),
    key: PropertyKey,
  }),
  v.transform(asked),
);

export const PagePropsInput = v.pipe(
  ranged({ ...filtered, compare, ...listing, key: PropertyKey }),
  v.transform(asked),
);

const Path = (description: string) =>
  v.optional(v.pipe(text(MAX_PATH_LENGTH), v.nonEmpty(), v.description(description)));

export const JourneysInput = v.pipe(
  ranged({
    ...filtered,
    ...paging,
    start: Path('Only journeys with this page, from its first view on.'),
    end: Path('Only journeys with this page, up to its last view. Without `start`, the last 5 pages.'),
  }),
  v.transform(asked),
);

export const AssociationsInput = v.pipe(
  ranged({
    ...filtered,
    ...paging,
    page: v.pipe(text(MAX_PATH_LENGTH), v.nonEmpty(), v.description('The page’s path.')),
  }),
  v.transform(asked),
);

export const RetentionInput = v.pipe(ranged({ ...filtered, ...paging }, fewCohorts), v.transform(asked));

export const FunnelInput = v.pipe(ranged({ ...filtered, funnelId: Id }), v.transform(asked));
