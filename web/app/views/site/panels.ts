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
import { country, languageName } from '../../format.ts';
import type { Asked, Dimension } from '../../state/site-query.ts';
import { words } from '../../words/index.ts';

export interface ListRow {
  /** As a filter takes it. */
  value: string;
  visitors: number;
  visits: number;
  pageviews: number;
}

export interface ListPage {
  rows: ListRow[];
  nextCursor: string | null;
}

export interface List {
  /** The name in `words.panels`. */
  name: keyof typeof words.panels;
  /** Clicking a row keeps visits by it. */
  dimension: Dimension;
  ask: (asked: Asked, part: { limit: number; cursor?: string }, signal?: AbortSignal) => Promise<ListPage>;
  /** How a value is shown; by default as it is. */
  show?: (value: string) => string;
}

type Answer = { data: ({ path: string } | { value: string })[]; meta: { nextCursor: string | null } };

/** A list whose rows have a path or a value. */
const list = (
  name: List['name'],
  dimension: Dimension,
  ask: (input: Asked & { limit: number; cursor?: string }, signal?: AbortSignal) => Promise<unknown>,
  show?: List['show'],
): List => ({
  name,
  dimension,
  ask: async (asked, part, signal) => {
    const { data, meta } = (await ask({ ...asked, ...part }, signal)) as Answer;
    const rows = data.map((row) => ({ ...row, value: 'path' in row ? row.path : row.value }) as ListRow);
    return { rows, nextCursor: meta.nextCursor };
  },
  ...(show && { show }),
});

const campaign = (name: List['name'], by: 'source' | 'medium' | 'campaign' | 'term' | 'content'): List =>
  list(name, `utm_${by}`, (input, signal) => getUtm({ ...input, by }, signal));

export interface PanelOf {
  name: keyof typeof words.panels;
  lists: readonly List[];
}

const kindOf = (value: string): string => words.values.kinds[value] ?? value;

/** The panels of lists on a site's page, and the tabs of each. */
export const PANELS: readonly PanelOf[] = [
  {
    name: 'pages',
    lists: [
      list('pages', 'page', getPages),
      list('entryPages', 'entry_page', getEntryPages),
      list('exitPages', 'exit_page', getExitPages),
      list('hostnames', 'hostname', getHostnames),
    ],
  },
  {
    name: 'sources',
    lists: [
      list('sources', 'source', getSources),
      list('channels', 'channel', getChannels),
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
      list('countries', 'country', getCountries, country),
      list('regions', 'region', getRegions),
      list('cities', 'city', getCities),
      list('languages', 'language', getLanguages, languageName),
    ],
  },
  {
    name: 'devices',
    lists: [
      list('browsers', 'browser', getBrowsers),
      list('systems', 'os', getOperatingSystems),
      list('kinds', 'device', getDevices, kindOf),
    ],
  },
];

/** How a value of a dimension is shown. */
export function showValue(dimension: Dimension, value: string): string {
  const found = PANELS.flatMap(({ lists }) => lists).find((one) => one.dimension === dimension);
  return found?.show?.(value) ?? value;
}
