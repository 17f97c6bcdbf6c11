import { reach } from '../db.ts';
import { memberSite } from './member-site.ts';
import type { Site, SiteChange } from './schemas.ts';
import { type SiteRow, type SitesContext, toSite, viewersOnlyRead } from './site.ts';
import { requireWritten, type Written } from './written.ts';

/** Changes a site's name. Throws `NOT_FOUND`, or `FORBIDDEN` for viewers. Constant cost, by primary keys. */
export async function renameSite(ctx: SitesContext, siteId: string, change: SiteChange): Promise<Site> {
  const rows = await reach(ctx.sql`
    with target as (${memberSite(ctx, siteId)}), changed as (
      update sites
      set name = ${change.name}, updated_at = now()
      from target
      where sites.id = target.id and target.role in ('owner', 'admin')
      returning sites.*
    )
    select target.role, changed.* from target left join changed on true
  `);
  return toSite(ctx, requireWritten(rows as Written<SiteRow>[], viewersOnlyRead));
}
