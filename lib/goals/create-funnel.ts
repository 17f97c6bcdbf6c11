import type { MemberContext } from '../context.ts';
import { reach } from '../db.ts';
import { memberSite } from '../sites/member-site.ts';
import { requireWritten, type Written } from '../sites/written.ts';
import { refuseTakenName, tooMany } from './conflicts.ts';
import { type FunnelRow, storeSteps, toFunnel } from './funnel.ts';
import { type Funnel, MAX_DEFINITIONS, type NewFunnel } from './schemas.ts';

/**
 * Makes a funnel of a site; it is reported on all that was ever collected. Throws `NOT_FOUND`, `FORBIDDEN` for viewers,
 * `CONFLICT` if another funnel has the name or the site has enough. Reads the site's funnels by their primary key.
 */
export async function createFunnel(ctx: MemberContext, siteId: string, input: NewFunnel): Promise<Funnel> {
  const statement = ctx.sql`
    with target as (${memberSite(ctx, siteId)}), made as (
      insert into site_funnels (site_id, name, steps)
      select target.id, ${input.name}, ${storeSteps(input.steps)}::jsonb
      from target
      where target.role in ('owner', 'admin')
        and (select count(*) from site_funnels where site_id = target.id) < ${MAX_DEFINITIONS}
      returning *
    )
    select target.role, made.* from target left join made on true
  `;
  const rows = await refuseTakenName(reach(statement));
  return toFunnel(requireWritten(rows as Written<FunnelRow>[], tooMany));
}
