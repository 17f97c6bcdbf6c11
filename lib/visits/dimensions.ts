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
  /** The fact of the privacy report that it belongs to (lib/privacy-report/facts.ts). */
  fact: string;
  sample: string;
  /** Its values, for the OpenAPI document and docs/reports.md. */
  description: string;
  /** The path of its list, `GET .../analytics/<path>`. Campaign parameters share one. */
  path?: string;
  summary?: string;
}

export const SITE_DOMAIN = 'the domain of the site';

/**
 * The dimensions of visits. A visit has one value of each. The dimensions of a dictionary are in the order of its keys. Fold, seals,
 * filters, reports, exports, shares, the dashboard and documents use this list.
 */
export const VISIT_DIMENSIONS = [
  {
    name: 'hostname',
    number: 8,
    dictionary: 'origin',
    newValues: 'sources',
    lowestTier: 1,
    absent: SITE_DOMAIN,
    fact: 'page',
    sample: 'www.example.com',
    path: 'hostnames',
    summary: 'Hosts',
    description: 'Hosts of first page views.',
  },
  {
    name: 'source',
    number: 1,
    dictionary: 'origin',
    newValues: 'sources',
    lowestTier: 1,
    arrives: true,
    absent: 'Direct',
    fact: 'arrival',
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
    fact: 'arrival',
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
    fact: 'arrival',
    sample: 'newsletter',
    description: 'The campaign parameter of this name.',
  },
  {
    name: 'utm_medium',
    number: 4,
    dictionary: 'origin',
    newValues: 'campaigns',
    lowestTier: 1,
    arrives: true,
    fact: 'arrival',
    sample: 'email',
    description: 'The campaign parameter of this name.',
  },
  {
    name: 'utm_campaign',
    number: 5,
    dictionary: 'origin',
    newValues: 'campaigns',
    lowestTier: 1,
    arrives: true,
    fact: 'arrival',
    sample: 'spring',
    description: 'The campaign parameter of this name.',
  },
  {
    name: 'utm_term',
    number: 6,
    dictionary: 'origin',
    newValues: 'terms',
    lowestTier: 1,
    arrives: true,
    fact: 'arrival',
    sample: 'boats',
    description: 'The campaign parameter of this name.',
  },
  {
    name: 'utm_content',
    number: 7,
    dictionary: 'origin',
    newValues: 'terms',
    lowestTier: 1,
    arrives: true,
    fact: 'arrival',
    sample: 'top',
    description: 'The campaign parameter of this name.',
  },
  {
    name: 'country',
    number: 9,
    dictionary: 'place',
    newValues: 'closed',
    lowestTier: 1,
    absent: 'Unknown',
    fact: 'country',
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
    fact: 'place',
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
    fact: 'place',
    sample: 'Porto',
    path: 'cities',
    summary: 'Cities',
    description: 'Cities as the edge names them. Tiers 2 and 3.',
  },
  {
    name: 'device',
    number: 12,
    dictionary: 'profile',
    newValues: 'closed',
    lowestTier: 1,
    absent: 'Unknown',
    fact: 'device',
    sample: 'mobile',
    path: 'devices',
    summary: 'Devices',
    description: '`desktop`, `mobile`, `tablet`, `tv` or `other`.',
  },
  {
    name: 'browser',
    number: 13,
    dictionary: 'profile',
    newValues: 'closed',
    lowestTier: 1,
    absent: 'Unknown',
    fact: 'device',
    sample: 'Firefox',
    path: 'browsers',
    summary: 'Browsers',
    description: 'Names without versions.',
  },
  {
    name: 'os',
    number: 14,
    dictionary: 'profile',
    newValues: 'closed',
    lowestTier: 3,
    absent: 'Unknown',
    fact: 'system',
    sample: 'Android',
    path: 'operating-systems',
    summary: 'Operating systems',
    description: 'Names without versions. Tier 3 only.',
  },
  {
    name: 'language',
    number: 15,
    dictionary: 'profile',
    newValues: 'languages',
    lowestTier: 2,
    absent: 'Unknown',
    fact: 'language',
    sample: 'pt-PT',
    path: 'languages',
    summary: 'Languages',
    description: 'Tags as browsers send them. Tiers 2 and 3.',
  },
] as const satisfies readonly VisitDimension[];
export type Dimension = (typeof VISIT_DIMENSIONS)[number]['name'];
export const DIMENSIONS: readonly Dimension[] = VISIT_DIMENSIONS.map(({ name }) => name);
export const isDimension = (name: string | undefined): name is Dimension =>
  DIMENSIONS.some((one) => one === name);

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
  { name: 'total', number: 25, blocks: true },
] as const;

/** By what a series can be stacked: by what a visit has one value of. */
export const STACKED = ['tier', ...DIMENSIONS, 'entry_page', 'exit_page'] as const;
export type StackedDimension = (typeof STACKED)[number];

type Listed = Extract<(typeof VISIT_DIMENSIONS)[number], { path: string }>;
/** A dimension with a list of its own. */
export type ListedDimension = Listed['name'];
export interface ValueList {
  path: Listed['path'];
  dimension: ListedDimension;
  summary: string;
  description: string;
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
