import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import { memberSite } from './member-site.ts';
import type { Site } from './schemas.ts';
import { type SiteRow, type SitesContext, toSite } from './site.ts';

/** One site of a project that the caller is a member of. Throws `NOT_FOUND`, also for somebody else's. */
export async function getSite(ctx: SitesContext, siteId: string): Promise<Site> {
  const rows = await reach(ctx.sql`
    select sites.* from sites join (${memberSite(ctx, siteId)}) target on target.id = sites.id
  `);
  const [row] = rows as SiteRow[];
  if (row === undefined) throw notFound('site');
  return toSite(ctx, row);
}
