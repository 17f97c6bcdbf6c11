/** Changes the time zones of sites (docs/sites.md#change-the-time-zone). */
import type { Ports } from '../context.ts';
import type { Sql } from '../db.ts';

/** Changes the zone of a site that has a next one, unless it has more visits than `maxVisits`. One transaction. */
export const changeZone = (
  { sql, now }: Ports,
  siteId: string,
  maxVisits: number = Number.MAX_SAFE_INTEGER,
): ReturnType<Sql> => sql`
  select change_zone(${siteId}::uuid, ${maxVisits}::bigint, ${new Date(now()).toISOString()}::timestamptz) as changed`;

/**
 * Changes the zones of all sites that have a next one, one after another. A site that fails keeps no other back, and is tried again by the next
 * run. Throws the first fault. Uses `sites_zone_changes`.
 */
export async function changeZones(ports: Ports): Promise<void> {
  const sites = await ports.sql`select id from sites where next_timezone is not null order by key`;
  const faults: unknown[] = [];
  for (const { id } of sites) await changeZone(ports, id).catch((fault) => faults.push(fault));
  if (faults.length > 0) throw faults[0];
}
