import { VISIT_DIMENSIONS, type Dimension as VisitDimension } from '../../../../lib/visits/dimensions.ts';
import { country, languageName } from '../../format.ts';
import type { Dimension, Metric } from '../../state/site-query.ts';
import { words } from '../../words/index.ts';

interface Figures {
  visitors: number;
  visits: number;
  pageviews: number;
  /** With a chosen goal: conversions of tiers 2 and 3, and their share. Null: withheld, or no such visit. */
  conversions?: number | null;
  conversionRate?: number | null;
}

type ListDimension = VisitDimension | 'page' | 'entry_page' | 'exit_page';

export interface ListRow extends Figures {
  /** As a filter takes it. */
  value: string;
  /** The row in the range that it is compared with. Null: kept back. */
  previous?: Figures | null;
}

export interface List {
  /** The name of its report, as in a batch. */
  report: string;
  /** Clicking a row keeps visits by it. Its words name the list. */
  dimension: ListDimension;
  /** The figure that its panel shows and sorts by: one that all tiers have. Visitors leave tier 1 out. */
  metric: Metric;
  /** How a value is shown; by default as it is. */
  show?: (value: string) => string;
}

/** The rows of a list's answer. A row has a path or a value. */
export const rowsOf = (data: readonly object[]): ListRow[] =>
  data.map((row) => ({ ...row, value: 'path' in row ? row.path : (row as ListRow).value }) as ListRow);

export interface PanelOf {
  name: 'pages' | 'sources' | 'places' | 'devices';
  lists: List[];
}

const sourceName = (value: string): string => (value === 'Direct' ? words.values.Direct : value);
const channelName = (value: string): string => words.values.channels[value] ?? value;
const kindOf = (value: string): string => words.values.kinds[value] ?? value;

const SHOWN: Partial<Record<VisitDimension, List['show']>> = {
  source: sourceName,
  channel: channelName,
  country,
  language: languageName,
  device: kindOf,
};

const PANEL_OF = { origin: 'sources', place: 'places', profile: 'devices' } as const;
/** Panels of dimensions that aren't in the panel of their dictionary. */
const OTHER_PANELS: Partial<Record<VisitDimension, PanelOf['name']>> = {
  hostname: 'pages',
  language: 'places',
};
/** Tabs before the others of their panel. The others have the order of the dimensions. */
const FIRST: readonly VisitDimension[] = ['source', 'channel', 'utm_campaign', 'browser', 'os'];

const rank = (name: VisitDimension): number => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length);

/** The lists of a panel by what a visit has one value of. */
const listsOf = (panel: PanelOf['name']): List[] =>
  VISIT_DIMENSIONS.filter(({ name, dictionary }) => (OTHER_PANELS[name] ?? PANEL_OF[dictionary]) === panel)
    .toSorted((a, b) => rank(a.name) - rank(b.name))
    .map((of) => {
      const show = SHOWN[of.name];
      const report = 'path' in of ? of.path : of.name;
      return { report, dimension: of.name, metric: 'visits', ...(show && { show }) };
    });

/** The panels of lists on a site's page, and the tabs of each. */
export const PANELS: readonly PanelOf[] = [
  {
    name: 'pages',
    lists: [
      // At tier 1 a page view within the site belongs to no visit.
      { report: 'pages', dimension: 'page', metric: 'pageviews' },
      { report: 'entry-pages', dimension: 'entry_page', metric: 'visits' },
      { report: 'exit-pages', dimension: 'exit_page', metric: 'visits' },
      ...listsOf('pages'),
    ],
  },
  { name: 'sources', lists: listsOf('sources') },
  { name: 'places', lists: listsOf('places') },
  { name: 'devices', lists: listsOf('devices') },
];

/** The list of a dimension. */
export const listNamed = (named: Dimension): List | undefined =>
  PANELS.flatMap(({ lists }) => lists).find(({ dimension }) => dimension === named);

/** The lists that a share shows; all of them to members. */
export const shownLists = (
  shows: readonly string[] | undefined,
  lists = PANELS.flatMap((panel) => panel.lists),
): List[] => lists.filter(({ report }) => shows?.includes(report.replace(/^utm_.*/, 'utm')) ?? true);

/** How a value of a dimension is shown. */
export function showValue(dimension: Dimension, value: string): string {
  const { counts, sessions, consented } = words.tiers;
  if (dimension === 'privacy_tier') return { 1: counts, 2: sessions, 3: consented }[value] ?? value;
  return listNamed(dimension)?.show?.(value) ?? value;
}
