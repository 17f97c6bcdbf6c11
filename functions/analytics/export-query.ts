import * as v from 'valibot';
import { FILTER_DIMENSIONS } from '../../lib/analytics/filters.ts';
import { EventName, EventPropsQuery, findLongRetention, JourneysQuery } from './behaviour-query.ts';
import { VALUE_LISTS } from './lists.ts';
import {
  CampaignParameter,
  IntervalName,
  MEASURE_FILTERS,
  NO_MEASURE_FILTER,
  SortName,
  withRange,
} from './query.ts';

const MEASURES: readonly string[] = ['engagement', 'vitals'];
/** The reports that are exported, by the names that they have in paths. */
export const EXPORTED_REPORTS = [
  'overview',
  'timeseries',
  'pages',
  'entry-pages',
  'exit-pages',
  'utm',
  'engagement',
  'vitals',
  'dropped',
  'events',
  'event-props',
  'journeys',
  'retention',
  'goals',
  'funnels',
  ...VALUE_LISTS.map(({ path }) => path),
] as const;

/** Which report takes which further parameter. */
const OWN = {
  interval: 'timeseries',
  sort: 'pages',
  by: 'utm',
  event: 'event-props',
  key: 'event-props',
  start: 'journeys',
  end: 'journeys',
  funnel: 'funnels',
} as const;
const PARAMETERS = Object.keys(OWN) as (keyof typeof OWN)[];
/** Those that their report can't do without. */
const REQUIRED = ['by', 'event', 'funnel'] as const;
const FILTERS = (['privacy_tier', ...FILTER_DIMENSIONS] as const).map((name) => `filter_${name}` as const);

/** A report's parameters but `limit` and `cursor`: an export has all rows. */
export const ExportQuery = v.pipe(
  withRange({
    report: v.pipe(
      v.picklist(EXPORTED_REPORTS),
      v.description(
        'Which one. `goals` and `funnels` are their reports, `funnels` the steps of one; `event-props` is `events/:name/props`.',
      ),
    ),
    format: v.optional(v.picklist(['csv', 'json']), 'csv'),
    interval: v.optional(IntervalName),
    sort: v.optional(SortName),
    by: v.optional(CampaignParameter),
    event: v.optional(EventName),
    key: EventPropsQuery.entries.key,
    start: JourneysQuery.entries.start,
    end: JourneysQuery.entries.end,
    funnel: v.optional(v.pipe(v.string(), v.uuid(), v.description('Which funnel.'))),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const input = dataset.value;
    const tell = (key: keyof typeof input, message: string) =>
      addIssue({ message, path: [{ type: 'object', origin: 'value', input, key, value: input[key] }] });
    for (const key of PARAMETERS) {
      if (input[key] !== undefined && input.report !== OWN[key])
        tell(key, `must come with \`report=${OWN[key]}\` alone`);
    }
    for (const key of REQUIRED) {
      if (input.report === OWN[key] && input[key] === undefined) tell(key, 'is required');
    }
    for (const key of FILTERS) {
      if (input.report === 'dropped' && input[key] !== undefined)
        tell(key, 'must not come with `report=dropped`');
    }
    const long = input.report === 'retention' ? findLongRetention(input) : undefined;
    if (long !== undefined) tell(long.path, long.message);
    if (MEASURES.includes(input.report)) {
      for (const key of FILTERS) {
        if (input[key] !== undefined && !MEASURE_FILTERS.includes(key)) tell(key, NO_MEASURE_FILTER);
      }
    }
  }),
);
export type ExportQuery = v.InferOutput<typeof ExportQuery>;
