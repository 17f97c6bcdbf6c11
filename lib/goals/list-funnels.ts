import { readableSite } from '../analytics/reader.ts';
import type { ReportContext } from '../context.ts';
import { reach } from '../db.ts';
import { listed } from '../listed.ts';
import { type FunnelRow, toFunnel } from './funnel.ts';
import type { Funnel } from './schemas.ts';

/** A site's funnels, oldest first. Throws `NOT_FOUND`. Reads them by their primary key, `MAX_DEFINITIONS` at most. */
export async function listFunnels(ctx: ReportContext, siteId: string): Promise<Funnel[]> {
  const rows = await reach(ctx.sql`
    select funnel.* from (${readableSite(ctx, siteId)}) target
    left join site_funnels funnel on funnel.site_id = target.id
    order by funnel.created_at, funnel.id
  `);
  return listed<FunnelRow>(rows, 'site').map(toFunnel);
}
