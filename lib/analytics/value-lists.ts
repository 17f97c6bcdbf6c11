/** The reports that list the values of a dimension, by their names in paths. */
import type { Dimension } from './dimensions.ts';

export const VALUE_LISTS: readonly {
  path: string;
  dimension: Dimension;
  summary: string;
  sample: string;
  description?: string;
}[] = [
  {
    path: 'sources',
    dimension: 'source',
    summary: 'Top sources',
    sample: 'Google',
    description: 'Sites by their names; visits without a referrer are `Direct`.',
  },
  {
    path: 'channels',
    dimension: 'channel',
    summary: 'Channels',
    sample: 'Organic search',
    description: 'Kinds of sources: search, social, e-mail, AI assistants and so on, paid apart from not.',
  },
  {
    path: 'countries',
    dimension: 'country',
    summary: 'Countries',
    sample: 'PT',
    description: 'ISO 3166-1 alpha-2, as the edge saw it.',
  },
  {
    path: 'regions',
    dimension: 'region',
    summary: 'Regions',
    sample: 'PT-13',
    description: 'ISO 3166-2. Tiers 2 and 3.',
  },
  { path: 'cities', dimension: 'city', summary: 'Cities', sample: 'Porto', description: 'Tiers 2 and 3.' },
  { path: 'devices', dimension: 'device', summary: 'Devices', sample: 'desktop' },
  { path: 'browsers', dimension: 'browser', summary: 'Browsers', sample: 'Firefox' },
  {
    path: 'operating-systems',
    dimension: 'os',
    summary: 'Operating systems',
    sample: 'Android',
    description: 'Tier 3 only.',
  },
  {
    path: 'languages',
    dimension: 'language',
    summary: 'Languages',
    sample: 'pt-PT',
    description: 'Tags as browsers send them. Tiers 2 and 3.',
  },
  { path: 'hostnames', dimension: 'hostname', summary: 'Hosts', sample: 'www.example.com' },
];
