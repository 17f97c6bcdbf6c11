import type { MemberContext } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import { memberSite } from '../sites/member-site.ts';
import { requireWritten, type Written } from '../sites/written.ts';

/**
 * Deletes a share. Its reports are refused at once, its name and whether it has a password may be told for 30 s more.
 * Throws `NOT_FOUND`, also for another site's, or `FORBIDDEN` for viewers. By primary keys.
 */
export async function revokeShare(ctx: MemberContext, siteId: string, shareId: string): Promise<void> {
  const rows = await reach(ctx.sql`
    with target as (${memberSite(ctx, siteId)}), revoked as (
      delete from site_shares share
      using target
      where share.id = ${shareId}::uuid and share.site_id = target.id and target.role in ('owner', 'admin')
      returning share.id
    )
    select target.role, revoked.id from target left join revoked on true
  `);
  requireWritten(rows as Written<{ id: string }>[], () => notFound('share'));
}
