import type { MemberContext } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import { memberSite } from '../sites/member-site.ts';
import { requireWritten, type Written } from '../sites/written.ts';
import { refuseTakenName } from './conflicts.ts';
import { type FunnelRow, storeSteps, toFunnel } from './funnel.ts';
import type { Funnel, FunnelChange } from './schemas.ts';

export interface FunnelId {
  /** UUIDs. */
  siteId: string;
  funnelId: string;
}

/**
 * Changes a funnel's name or all of its steps. Throws `NOT_FOUND`, `FORBIDDEN` for viewers, `CONFLICT` if another funnel
 * has the name. Constant cost, by primary keys.
 */
export async function changeFunnel(ctx: MemberContext, id: FunnelId, change: FunnelChange): Promise<Funnel> {
  const steps = change.steps === undefined ? null : storeSteps(change.steps);
  const statement = ctx.sql`
    with target as (${memberSite(ctx, id.siteId)}), changed as (
      update site_funnels funnel
      set name = coalesce(${change.name ?? null}, name), steps = coalesce(${steps}::jsonb, steps)
      from target
      where funnel.site_id = target.id and funnel.id = ${id.funnelId} and target.role in ('owner', 'admin')
      returning funnel.*
    )
    select target.role, changed.* from target left join changed on true
  `;
  const rows = await refuseTakenName(reach(statement));
  return toFunnel(requireWritten(rows as Written<FunnelRow>[], () => notFound('funnel')));
}
