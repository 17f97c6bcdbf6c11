import type { Sql } from '../db.ts';
import type { Fragment } from './range.ts';

export interface VisitDimension {
  /** What filters call it, and a column of its dictionary. In messages (lib/collection/track-message.ts) it is in camel case. */
  name: string;
  /** Names it in rollups, for good: never another one's. */
  number: number;
  /** The dictionary that has it: of devices, of places, or of how visits came to the site. */
  dictionary: 'profile' | 'place' | 'origin';
  /** The lowest tier that may have it. */
  lowestTier: 1 | 2 | 3;
  /** Only visits that came from elsewhere have it: no continued one, and at tier 1 no inner page view. */
  arrives?: true;
  /** What visits without it are listed as; by default they aren't. Days that were sealed before it was collected have no such row. */
  absent?: string;
  sample: string;
  /** Of its list, `GET .../analytics/<path>`. Campaign parameters share one. */
  path?: string;
  summary?: string;
  description?: string;
}

export const SITE_DOMAIN = 'the domain of the site';

/** What visits are told apart by, one value a visit; those of a dictionary in the order of its keys. Fold, seals, filters, reports, exports, shares and documents go by it. */
export const VISIT_DIMENSIONS = [
  {
    name: 'hostname',
    number: 8,
    dictionary: 'origin',
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
    lowestTier: 1,
    arrives: true,
    absent: 'Direct',
    sample: 'Organic search',
    path: 'channels',
    summary: 'Channels',
    description: 'Kinds of sources: search, social, e-mail, AI assistants and so on, paid apart from not.',
  },
  { name: 'utm_source', number: 3, dictionary: 'origin', lowestTier: 1, arrives: true, sample: 'newsletter' },
  { name: 'utm_medium', number: 4, dictionary: 'origin', lowestTier: 1, arrives: true, sample: 'email' },
  { name: 'utm_campaign', number: 5, dictionary: 'origin', lowestTier: 1, arrives: true, sample: 'spring' },
  { name: 'utm_term', number: 6, dictionary: 'origin', lowestTier: 1, arrives: true, sample: 'boats' },
  { name: 'utm_content', number: 7, dictionary: 'origin', lowestTier: 1, arrives: true, sample: 'top' },
  {
    name: 'country',
    number: 9,
    dictionary: 'place',
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

/** What rollups count besides. Those without blocks have single days alone. */
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

/** What messages call a dimension. */
export const fieldOf = <Name extends string>(name: Name) =>
  name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()) as Camel<Name>;

/** What messages call the dimensions of a dictionary. */
export const fieldsOf = <D extends Dictionary>(dictionary: D) =>
  VISIT_DIMENSIONS.filter((of) => of.dictionary === dictionary).map(({ name }) =>
    fieldOf(name),
  ) as FieldOf<D>[];

/** An object with what `read` gives for each dimension of a dictionary, by what messages call them. */
export const byField = <D extends Dictionary, T>(dictionary: D, read: (name: Dimension) => T) =>
  Object.fromEntries(
    VISIT_DIMENSIONS.filter((of) => of.dictionary === dictionary).map(({ name }) => [
      fieldOf(name),
      read(name),
    ]),
  ) as Record<FieldOf<D>, T>;

interface DimensionSql {
  /** A relation `id, value`: what the entries of the site's dictionary have, as shown. Null is left out of lists. */
  values: Fragment;
  /** The column of a visit that has the entry's id. */
  id: Fragment;
  /** Which visits have the dimension at all; begins with `and`. `seal_hits` goes by the same list. */
  only: Fragment;
}

/** How a dimension is read, beside a `range`. */
export function dimensionOf(sql: Sql, dimension: Dimension): DimensionSql {
  const of: VisitDimension | undefined = VISIT_DIMENSIONS.find(({ name }) => name === dimension);
  if (of === undefined) throw new Error(`No dimension is called ${dimension}`);
  return {
    values: sql`(
      select id, value from entry_values
      where site_key = (select site_key from range) and dictionary = ${of.dictionary} and dimension = ${dimension})`,
    id: { profile: sql`profile_id`, place: sql`place_id`, origin: sql`origin_id` }[of.dictionary],
    only: of.arrives
      ? sql`and not continued and (tier > 1 or counted)`
      : sql`and tier >= ${of.lowestTier}::smallint`,
  };
}
