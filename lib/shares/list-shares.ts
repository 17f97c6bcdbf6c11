import type { MemberContext } from '../context.ts';
import { reach } from '../db.ts';
import { listed } from '../listed.ts';
import { memberSite } from '../sites/member-site.ts';
import type { Share } from './schemas.ts';
import { type ShareRow, shareColumns, toShare } from './share.ts';

/**
 * A site's shares, oldest first, those that have ended too; never their links. Throws `NOT_FOUND`. By the index
 * `site_shares_site`, at most 100 rows.
 */
export async function listShares(ctx: MemberContext, siteId: string): Promise<Share[]> {
  const rows = await reach(ctx.sql`
    select ${shareColumns(ctx.sql)}
    from (${memberSite(ctx, siteId)}) target
    left join site_shares share on share.site_id = target.id
    order by share.created_at, share.id
  `);
  return listed<ShareRow>(rows, 'site').map(toShare);
}
