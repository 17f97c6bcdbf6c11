import { reach } from '../db.ts';
import type { Site } from './schemas.ts';
import { type SiteRow, type SitesContext, toSite } from './site.ts';

const MAX_LISTED = 10_000;

/**
 * All sites of all projects that the caller is a member of, oldest first. Reads `project_members` by primary key, then
 * each project's sites by the index `sites_project`; grows with the sites listed.
 */
export async function listSites(ctx: SitesContext): Promise<Site[]> {
  const rows = await reach(ctx.sql`
    select sites.*
    from project_members member
    join sites on sites.project_id = member.project_id
    where member.user_id = ${ctx.actor.userId}
    order by sites.created_at, sites.id
    limit ${MAX_LISTED}
  `);
  return (rows as SiteRow[]).map((row) => toSite(ctx, row));
}
