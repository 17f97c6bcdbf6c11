import type { Sql } from '../db.ts';
import type { Fragment } from './range.ts';

/** What visits are told apart by, one value a visit (contract section 4). */
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
  /** The dictionary that has the values, and the column of a visit that leads to it. */
  table: Fragment;
  id: Fragment;
  /** The value as shown; null is left out of lists. */
  shown: Fragment;
  /** Which visits have the dimension at all; begins with `and`. */
  only: Fragment;
}

/** A continued visit came from the visit that it continues, and an inner page view at tier 1 from the site itself. */
const CAME: (sql: Sql) => Fragment = (sql) => sql`and not continued and (tier > 1 or counted)`;

/** How a dimension is read: every column is named here, none comes from outside. */
export function dimensionOf(sql: Sql, dimension: Dimension): DimensionSql {
  const profile = (shown: Fragment, only: Fragment = sql``): DimensionSql => ({
    table: sql`site_profiles`,
    id: sql`profile_id`,
    shown,
    only,
  });
  const place = (shown: Fragment, only: Fragment = sql``): DimensionSql => ({
    table: sql`site_places`,
    id: sql`place_id`,
    shown,
    only,
  });
  const origin = (shown: Fragment, only: Fragment = CAME(sql)): DimensionSql => ({
    table: sql`site_origins`,
    id: sql`origin_id`,
    shown,
    only,
  });
  switch (dimension) {
    case 'source':
      return origin(sql`coalesce(source, 'Direct')`);
    case 'channel':
      return origin(sql`coalesce(channel, 'Direct')`);
    case 'utm_source':
      return origin(sql`utm_source`);
    case 'utm_medium':
      return origin(sql`utm_medium`);
    case 'utm_campaign':
      return origin(sql`utm_campaign`);
    case 'utm_term':
      return origin(sql`utm_term`);
    case 'utm_content':
      return origin(sql`utm_content`);
    case 'hostname':
      return origin(sql`coalesce(hostname, (select domain from sites where key = site_key))`, sql``);
    case 'country':
      return place(sql`coalesce(country, 'Unknown')`);
    case 'region':
      return place(sql`region`, sql`and tier > 1`);
    case 'city':
      return place(sql`city`, sql`and tier > 1`);
    case 'device':
      return profile(sql`coalesce(device, 'Unknown')`);
    case 'browser':
      return profile(sql`coalesce(browser, 'Unknown')`);
    case 'os':
      return profile(sql`coalesce(os, 'Unknown')`, sql`and tier = 3`);
    case 'language':
      return profile(sql`coalesce(language, 'Unknown')`, sql`and tier > 1`);
  }
}
