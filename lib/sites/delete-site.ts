import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import { memberSite } from './member-site.ts';
import { type Role, type SitesContext, viewersOnlyRead } from './site.ts';

/**
 * Deletes a site and everything known of it. Throws `NOT_FOUND`, or `FORBIDDEN` for viewers. Every table of a site's data
 * leads its keys with `site_id` (schema/erasure.sql, `delete_site`); the cost grows with the rows that it has.
 */
export async function deleteSite(ctx: SitesContext, siteId: string): Promise<void> {
  const rows = await reach(ctx.sql`
    select target.role, case when target.role in ('owner', 'admin') then delete_site(target.id)::text end as deleted
    from (${memberSite(ctx, siteId)}) target
  `);
  const [row] = rows as { role: Role }[];
  if (row === undefined) throw notFound('site');
  if (row.role === 'viewer') throw viewersOnlyRead();
}
