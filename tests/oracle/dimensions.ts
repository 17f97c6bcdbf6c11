/** The properties of each dimension, written independently of the service's own list, and values for random visits. */
import { DIMENSIONS, type Dimension } from '../../lib/visits/dimensions.ts';

interface OracleDimension {
  /** The lowest tier whose visits have it. */
  lowestTier: 1 | 2 | 3;
  /** True if only visits that came from another site have it. */
  arrives?: true;
  /** The name in lists of visits without a value. */
  absent?: string;
  values: readonly [string, ...string[]];
  /** Further values that filters may use. */
  filters?: readonly string[];
}

/** The domain of the streams' sites. */
export const OWN_DOMAIN = 'example.com';

const campaign = (...values: [string, ...string[]]): OracleDimension => ({
  lowestTier: 1,
  arrives: true,
  values,
});

export const ORACLE_DIMENSIONS: Record<Dimension, OracleDimension> = {
  hostname: { lowestTier: 1, absent: OWN_DOMAIN, values: [OWN_DOMAIN, 'blog.example.com'] },
  source: {
    lowestTier: 1,
    arrives: true,
    absent: 'Direct',
    values: ['Google', 'Bing', 'news.example'],
    filters: ['Direct'],
  },
  channel: { lowestTier: 1, arrives: true, absent: 'Direct', values: ['Direct', 'Email', 'AI assistants'] },
  utm_source: campaign('letter', 'ad'),
  utm_medium: campaign('email', 'cpc'),
  utm_campaign: campaign('spring', 'autumn'),
  utm_term: campaign('boats'),
  utm_content: campaign('top', 'end'),
  country: { lowestTier: 1, absent: 'Unknown', values: ['DE', 'US'], filters: ['Unknown'] },
  region: { lowestTier: 2, values: ['PT-13', 'ES-PO'] },
  city: { lowestTier: 2, values: ['Porto', 'Vigo'] },
  device: { lowestTier: 1, absent: 'Unknown', values: ['desktop', 'mobile'], filters: ['Unknown'] },
  browser: { lowestTier: 1, absent: 'Unknown', values: ['Chrome', 'Firefox', 'Safari'], filters: ['o'] },
  os: { lowestTier: 3, absent: 'Unknown', values: ['Linux', 'Windows'], filters: ['Unknown'] },
  language: { lowestTier: 2, absent: 'Unknown', values: ['de', 'pt-PT'], filters: ['Unknown'] },
};

/** The value of a dimension for the visit with this number. Each dimension has other values, and visits lack some. */
export const drawnValue = (dimension: Dimension, visit: number): string | undefined => {
  const { values } = ORACLE_DIMENSIONS[dimension];
  return values[(visit + DIMENSIONS.indexOf(dimension)) % (values.length + 1)];
};

/** An object with the result of `read` for each dimension. */
export const byName = <T>(read: (name: Dimension) => T) =>
  Object.fromEntries(DIMENSIONS.map((name) => [name, read(name)])) as Record<Dimension, T>;
