import type { Fragment, Sql } from '../db.ts';

/**
 * Groups of values of which a site accepts a limited number of new ones per day (docs/limits.md#new-values). If an entry is over the
 * limit, values of the first group are replaced first.
 */
export const NEW_VALUES = [
  'pages',
  'events',
  'terms',
  'campaigns',
  'sources',
  'places',
  'languages',
  'properties',
] as const;
export type NewValues = (typeof NEW_VALUES)[number];

export interface VisitDimension {
  /** The name in filters, and of the column in its dictionary. In messages (lib/collection/track-message.ts) it is in camel case. */
  name: string;
  /** Its number in rollups. It never changes and is never used again. */
  number: number;
  /** The dictionary that contains it: of devices, of places, or of the origins of visits. */
  dictionary: 'profile' | 'place' | 'origin';
  /** The group that its new values count in. `closed`: its values come from our own list and are never `OTHER`. */
  newValues: NewValues | 'closed';
  /** The lowest tier that may have it. */
  lowestTier: 1 | 2 | 3;
  /** True if only visits from another site have it: no continued visit, and at tier 1 no page view from within the site. */
  arrives?: true;
  /**
   * The name in lists of visits without a value. By default these aren't listed. Days that were sealed before it was collected don't have
   * this row.
   */
  absent?: string;
  sample: string;
  /** The path of its list, `GET .../analytics/<path>`. Campaign parameters share one. */
  path?: string;
  summary?: string;
  description?: string;
}

export const SITE_DOMAIN = 'the domain of the site';

/**
 * The dimensions of visits. A visit has one value of each. The dimensions of a dictionary are in the order of its keys. Fold, seals,
 * filters, reports, exports, shares and documents use this list.
 */
export const VISIT_DIMENSIONS = [
  {
    name: 'hostname',
    number: 8,
    dictionary: 'origin',
    newValues: 'sources',
    lowestTier: 1,
    absent: SITE_DOMAIN,
    sample: 'www.example.com',
    path: 'hostnames',
    summary: 'Hosts',
  },
  {
    name: 'source',
    number: 1,
    dictionary: 'origin',
    newValues: 'sources',
    lowestTier: 1,
    arrives: true,
    absent: 'Direct',
    sample: 'Google',
    path: 'sources',
    summary: 'Top sources',
    description: 'Sites by their names; visits without a referrer are `Direct`.',
  },
  {
    name: 'channel',
    number: 2,
    dictionary: 'origin',
    newValues: 'closed',
    lowestTier: 1,
    arrives: true,
    absent: 'Direct',
    sample: 'Organic search',
    path: 'channels',
    summary: 'Channels',
    description: 'Kinds of sources: search, social, e-mail, AI assistants and so on, paid apart from not.',
  },
  {
    name: 'utm_source',
    number: 3,
    dictionary: 'origin',
    newValues: 'campaigns',
    lowestTier: 1,
    arrives: true,
    sample: 'newsletter',
  },
  {
    name: 'utm_medium',
    number: 4,
    dictionary: 'origin',
    newValues: 'campaigns',
    lowestTier: 1,
    arrives: true,
    sample: 'email',
  },
  {
    name: 'utm_campaign',
    number: 5,
    dictionary: 'origin',
    newValues: 'campaigns',
    lowestTier: 1,
    arrives: true,
    sample: 'spring',
  },
  {
    name: 'utm_term',
    number: 6,
    dictionary: 'origin',
    newValues: 'terms',
    lowestTier: 1,
    arrives: true,
    sample: 'boats',
  },
  {
    name: 'utm_content',
    number: 7,
    dictionary: 'origin',
    newValues: 'terms',
    lowestTier: 1,
    arrives: true,
    sample: 'top',
  },
  {
    name: 'country',
    number: 9,
    dictionary: 'place',
    newValues: 'closed',
    lowestTier: 1,
    absent: 'Unknown',
    sample: 'PT',
    path: 'countries',
    summary: 'Countries',
    description: 'ISO 3166-1 alpha-2, as the edge saw it.',
  },
  {
    name: 'region',
    number: 10,
    dictionary: 'place',
    newValues: 'places',
    lowestTier: 2,
    sample: 'PT-13',
    path: 'regions',
    summary: 'Regions',
    description: 'ISO 3166-2. Tiers 2 and 3.',
  },
  {
    name: 'city',
    number: 11,
    dictionary: 'place',
    newValues: 'places',
    lowestTier: 2,
    sample: 'Porto',
    path: 'cities',
    summary: 'Cities',
    description: 'Tiers 2 and 3.',
  },
  {
    name: 'device',
    number: 12,
    dictionary: 'profile',
    newValues: 'closed',
    lowestTier: 1,
    absent: 'Unknown',
    sample: 'mobile',
    path: 'devices',
    summary: 'Devices',
  },
  {
    name: 'browser',
    number: 13,
    dictionary: 'profile',
    newValues: 'closed',
    lowestTier: 1,
    absent: 'Unknown',
    sample: 'Firefox',
    path: 'browsers',
    summary: 'Browsers',
  },
  {
    name: 'os',
    number: 14,
    dictionary: 'profile',
    newValues: 'closed',
    lowestTier: 3,
    absent: 'Unknown',
    sample: 'Android',
    path: 'operating-systems',
    summary: 'Operating systems',
    description: 'Tier 3 only.',
  },
  {
    name: 'language',
    number: 15,
    dictionary: 'profile',
    newValues: 'languages',
    lowestTier: 2,
    absent: 'Unknown',
    sample: 'pt-PT',
    path: 'languages',
    summary: 'Languages',
    description: 'Tags as browsers send them. Tiers 2 and 3.',
  },
] as const satisfies readonly VisitDimension[];
export type Dimension = (typeof VISIT_DIMENSIONS)[number]['name'];
export const DIMENSIONS: readonly Dimension[] = VISIT_DIMENSIONS.map(({ name }) => name);

/** Further dimensions of rollups. Those without blocks have single days only. */
export const OTHER_DIMENSIONS = [
  { name: 'page', number: 16, blocks: true },
  { name: 'entry_page', number: 17, blocks: true, lowestTier: 1, arrives: true },
  { name: 'exit_page', number: 18, blocks: true, lowestTier: 2 },
  { name: 'event', number: 19, blocks: true },
  { name: 'goal', number: 20, blocks: false },
  { name: 'funnel', number: 21, blocks: false },
  { name: 'reach', number: 22, blocks: false },
  { name: 'cohort', number: 23, blocks: false },
  { name: 'prop', number: 24, blocks: false },
] as const;

/** By what a series can be stacked: by what a visit has one value of. */
export const STACKED = ['tier', ...DIMENSIONS, 'entry_page', 'exit_page'] as const;
export type StackedDimension = (typeof STACKED)[number];

type Listed = Extract<(typeof VISIT_DIMENSIONS)[number], { path: string }>;
export interface ValueList {
  path: Listed['path'];
  dimension: Dimension;
  summary: string;
  description?: string;
  sample: string;
}
/** The lists of values, `GET .../analytics/<path>`. */
export const VALUE_LISTS: readonly ValueList[] = VISIT_DIMENSIONS.filter(
  (of): of is Listed => 'path' in of,
).map(({ name, ...list }) => ({ ...list, dimension: name }));

export const DICTIONARIES = ['profile', 'place', 'origin'] as const;
export type Dictionary = (typeof DICTIONARIES)[number];
type Camel<Name extends string> = Name extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;
export type FieldOf<D extends Dictionary> = Camel<
  Extract<(typeof VISIT_DIMENSIONS)[number], { dictionary: D }>['name']
>;

/** The name of a dimension in messages. */
export const fieldOf = <Name extends string>(name: Name) =>
  name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as Camel<Name>;

/** The names of a dictionary's dimensions in messages. */
export const fieldsOf = <D extends Dictionary>(dictionary: D) =>
  VISIT_DIMENSIONS.filter((of) => of.dictionary === dictionary).map(({ name }) =>
    fieldOf(name),
  ) as FieldOf<D>[];

/** An object with the result of `read` for each dimension of a dictionary, by the name in messages. */
export const byField = <D extends Dictionary, T>(dictionary: D, read: (name: Dimension) => T) =>
  Object.fromEntries(
    VISIT_DIMENSIONS.filter((of) => of.dictionary === dictionary).map(({ name }) => [
      fieldOf(name),
      read(name),
    ]),
  ) as Record<FieldOf<D>, T>;

interface DimensionSql {
  /** A relation `id, value` with the shown value of each entry in the site's dictionary. Lists leave out null. */
  values: Fragment;
  dictionary: Dictionary;
  /** The column of a visit with the entry's id. */
  id: Fragment;
  /** The condition that a visit can have the dimension; empty or begins with `and`. `seal_hits` uses the same list. */
  only: Fragment;
}

/** A visit that counts came from elsewhere: it is neither continued nor an inner page view at tier 1. */
const canHave = (
  sql: Sql,
  { arrives, lowestTier }: Pick<VisitDimension, 'arrives' | 'lowestTier'>,
): Fragment =>
  arrives ? sql`and counted` : lowestTier === 1 ? sql`` : sql`and tier >= ${lowestTier}::smallint`;

/** How to read a dimension in a statement with `range`. */
export function dimensionOf(sql: Sql, dimension: Dimension): DimensionSql {
  const of: VisitDimension | undefined = VISIT_DIMENSIONS.find(({ name }) => name === dimension);
  if (of === undefined) throw new Error(`No dimension is called ${dimension}`);
  return {
    values: sql`(
      select id, value from entry_values
      where site_key = (select site_key from range) and dictionary = ${of.dictionary} and dimension = ${dimension})`,
    dictionary: of.dictionary,
    id: { profile: sql`profile_id`, place: sql`place_id`, origin: sql`origin_id` }[of.dictionary],
    only: canHave(sql, of),
  };
}

export type Edge = 'entry' | 'exit';

/** The column of a visit with the page on which it began or ended, and the condition that it has one, like `DimensionSql.only`. */
export function edgeOf(sql: Sql, edge: Edge): { page: Fragment; only: Fragment } {
  return edge === 'entry'
    ? { page: sql`entry_page`, only: canHave(sql, { arrives: true, lowestTier: 1 }) }
    : {
        page: sql`coalesce(later_pages[cardinality(later_pages)], entry_page)`,
        only: canHave(sql, { lowestTier: 2 }),
      };
}
