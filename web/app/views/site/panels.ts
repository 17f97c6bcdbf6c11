import {
  getBrowsers,
  getChannels,
  getCities,
  getCountries,
  getDevices,
  getEntryPages,
  getExitPages,
  getHostnames,
  getLanguages,
  getOperatingSystems,
  getPages,
  getRegions,
  getSources,
  getUtm,
} from '../../api/operations.generated.ts';
import type { ListOf } from '../../api/reader.ts';
import { country, languageName } from '../../format.ts';
import type { Dimension, Metric } from '../../state/site-query.ts';
import { words } from '../../words/index.ts';

interface Figures {
  visitors: number;
  visits: number;
  pageviews: number;
}

export interface ListRow extends Figures {
  /** As a filter takes it. */
  value: string;
  /** The row in the range that it is compared with. Null: kept back. */
  previous?: Figures | null;
}

export interface List extends ListOf {
  /** The name in `words.panels`. */
  name: keyof typeof words.panels;
  /** Clicking a row keeps visits by it. */
  dimension: Dimension;
  /** The figure that its panel shows and sorts by: one that all tiers have. Visitors leave tier 1 out. */
  metric: Metric;
  /** How a value is shown; by default as it is. */
  show?: (value: string) => string;
}

/** The rows of a list's answer. A row has a path or a value. */
export const rowsOf = (data: readonly object[]): ListRow[] =>
  data.map((row) => ({ ...row, value: 'path' in row ? row.path : (row as ListRow).value }) as ListRow);

/** The name in a batch is that of the report's path, but for pages. */
const list = (
  name: List['name'],
  report: string,
  dimension: Dimension,
  ask: ListOf['ask'],
  show?: List['show'],
): List => ({
  ...{ name, report, dimension, ask },
  // At tier 1 a page view within the site belongs to no visit.
  metric: report === 'pages' ? 'pageviews' : 'visits',
  ...(show && { show }),
});

const campaign = (name: List['name'], by: 'source' | 'medium' | 'campaign' | 'term' | 'content'): List =>
  list(name, `utm_${by}`, `utm_${by}`, (input, signal) => getUtm({ ...input, by }, signal));

export interface PanelOf {
  name: 'pages' | 'sources' | 'places' | 'devices';
  lists: List[];
}

const sourceName = (value: string): string => (value === 'Direct' ? words.values.Direct : value);
const channelName = (value: string): string => words.values.channels[value] ?? value;
const kindOf = (value: string): string => words.values.kinds[value] ?? value;

/** The panels of lists on a site's page, and the tabs of each. */
export const PANELS: readonly PanelOf[] = [
  {
    name: 'pages',
    lists: [
      list('pages', 'pages', 'page', getPages),
      list('entryPages', 'entry-pages', 'entry_page', getEntryPages),
      list('exitPages', 'exit-pages', 'exit_page', getExitPages),
      list('hostnames', 'hostnames', 'hostname', getHostnames),
    ],
  },
  {
    name: 'sources',
    lists: [
      list('sources', 'sources', 'source', getSources, sourceName),
      list('channels', 'channels', 'channel', getChannels, channelName),
      campaign('utmCampaign', 'campaign'),
      campaign('utmSource', 'source'),
      campaign('utmMedium', 'medium'),
      campaign('utmTerm', 'term'),
      campaign('utmContent', 'content'),
    ],
  },
  {
    name: 'places',
    lists: [
      list('countries', 'countries', 'country', getCountries, country),
      list('regions', 'regions', 'region', getRegions),
      list('cities', 'cities', 'city', getCities),
      list('languages', 'languages', 'language', getLanguages, languageName),
    ],
  },
  {
    name: 'devices',
    lists: [
      list('browsers', 'browsers', 'browser', getBrowsers),
      list('systems', 'operating-systems', 'os', getOperatingSystems),
      list('kinds', 'devices', 'device', getDevices, kindOf),
    ],
  },
];

/** The lists that a share shows; all of them to members. */
export const shownLists = (
  shows: readonly string[] | undefined,
  lists = PANELS.flatMap((panel) => panel.lists),
): List[] => lists.filter(({ report }) => shows?.includes(report.replace(/^utm_.*/, 'utm')) ?? true);

/** How a value of a dimension is shown. */
export function showValue(dimension: Dimension, value: string): string {
  const { counts, sessions, consented } = words.tiers;
  if (dimension === 'privacy_tier') return { 1: counts, 2: sessions, 3: consented }[value] ?? value;
  const found = PANELS.flatMap(({ lists }) => lists).find((one) => one.dimension === dimension);
  return found?.show?.(value) ?? value;
}
