import type { MemberContext } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import { memberSite } from '../sites/member-site.ts';
import { requireWritten, type Written } from '../sites/written.ts';
import type { FunnelId } from './change-funnel.ts';

/** Deletes a funnel; nothing collected goes. Throws `NOT_FOUND`, or `FORBIDDEN` for viewers. Constant cost, by primary keys. */
export async function deleteFunnel(ctx: MemberContext, { siteId, funnelId }: FunnelId): Promise<void> {
  const rows = await reach(ctx.sql`
    with target as (${memberSite(ctx, siteId)}), deleted as (
      delete from site_funnels funnel using target
      where funnel.site_id = target.id and funnel.id = ${funnelId} and target.role in ('owner', 'admin')
      returning funnel.id
    )
    select target.role, deleted.id from target left join deleted on true
  `);
  requireWritten(rows as Written<{ id: string }>[], () => notFound('funnel'));
}
