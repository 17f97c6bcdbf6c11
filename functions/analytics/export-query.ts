import * as v from 'valibot';
import { VALUE_LISTS } from './lists.ts';
import {
  CampaignParameter,
  IntervalName,
  MEASURE_FILTERS,
  NO_MEASURE_FILTER,
  SortName,
  withRange,
} from './query.ts';

const MEASURES = ['engagement', 'vitals'];
const NAMES = ['overview', 'timeseries', 'pages', 'entry-pages', 'exit-pages', 'utm', ...MEASURES];

/** Which report takes which further parameter. */
const OWN = { interval: 'timeseries', sort: 'pages', by: 'utm' } as const;

/** A report's parameters but `limit` and `cursor`: an export has all rows. */
export const ExportQuery = v.pipe(
  withRange({
    report: v.pipe(
      v.picklist([...NAMES, ...VALUE_LISTS.map(({ path }) => path)]),
      v.description('Which one.'),
    ),
    format: v.optional(v.picklist(['csv', 'json']), 'csv'),
    interval: v.optional(IntervalName),
    sort: v.optional(SortName),
    by: v.optional(CampaignParameter),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return;
    const input = dataset.value;
    const asked: Record<string, unknown> = input;
    const tell = (key: string, message: string) =>
      addIssue({ message, path: [{ type: 'object', origin: 'value', input, key, value: asked[key] }] });
    for (const key of ['interval', 'sort', 'by'] as const) {
      if (input[key] !== undefined && input.report !== OWN[key])
        tell(key, `must come with \`report=${OWN[key]}\` alone`);
    }
    if (input.report === OWN.by && input.by === undefined) tell('by', 'is required');
    if (!MEASURES.includes(input.report)) return;
    for (const key of Object.keys(input))
      if (key.startsWith('filter_') && !MEASURE_FILTERS.includes(key)) tell(key, NO_MEASURE_FILTER);
  }),
);
export type ExportQuery = v.InferOutput<typeof ExportQuery>;
