import type { Sql } from '../db.ts';
import type { Fragment } from './range.ts';

/** What visits are told apart by, one value a visit (docs/reports.md#filters). */
export const DIMENSIONS = [
  'source',
  'channel',
  'utm_source',
  'utm_medium',
  'utm_campaign',
  'utm_term',
  'utm_content',
  'country',
  'region',
  'city',
  'device',
  'browser',
  'os',
  'language',
  'hostname',
] as const;
export type Dimension = (typeof DIMENSIONS)[number];

interface DimensionSql {
  /** A relation `id, value`: what the entries of the site's dictionary have, as shown. Null is left out of lists. */
  values: Fragment;
  /** The column of a visit that has the entry's id. */
  id: Fragment;
  /** Which visits have the dimension at all; begins with `and`. The same is in `end_seal` (schema/functions/seal.sql). */
  only: Fragment;
}

/** A continued visit came from the visit that it continues, and an inner page view at tier 1 from the site itself. */
const CAME: (sql: Sql) => Fragment = (sql) => sql`and not continued and (tier > 1 or counted)`;

/** How a dimension is read, beside a `range`. */
export function dimensionOf(sql: Sql, dimension: Dimension): DimensionSql {
  const ofSite = sql`where site_key = (select site_key from range) and dimension = ${dimension}`;
  const profile = (only: Fragment = sql``): DimensionSql => ({
    values: sql`(select id, value from profile_values ${ofSite})`,
    id: sql`profile_id`,
    only,
  });
  const place = (only: Fragment = sql``): DimensionSql => ({
    values: sql`(select id, value from place_values ${ofSite})`,
    id: sql`place_id`,
    only,
  });
  const origin = (only: Fragment = CAME(sql)): DimensionSql => ({
    values: sql`(select id, value from origin_values ${ofSite})`,
    id: sql`origin_id`,
    only,
  });
  switch (dimension) {
    case 'hostname':
      return origin(sql``);
    case 'country':
      return place();
    case 'region':
    case 'city':
      return place(sql`and tier > 1`);
    case 'device':
    case 'browser':
      return profile();
    case 'os':
      return profile(sql`and tier = 3`);
    case 'language':
      return profile(sql`and tier > 1`);
    default:
      return origin();
  }
}
