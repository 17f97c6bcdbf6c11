/** Funnels of a site: members create, change and delete them. Each verb is one statement and uses primary keys. */

import { memberSite, requireWritten } from '../access.ts';
import { type AuditedContext, insertSiteAudit } from '../audit.ts';
import type { ControlActor, ReportContext } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import { listed } from '../listed.ts';
import type { OneSite } from '../sites/schemas.ts';
import { inTurn, turnOfSite } from '../turns.ts';
import { refuseTakenName, tooMany } from './conflicts.ts';
import {
  type ChangeFunnel,
  type CreateFunnel,
  type Funnel,
  MAX_DEFINITIONS,
  type OneFunnel,
} from './schemas.ts';
import { type StoredTarget, storeTarget, toTarget } from './target.ts';

interface FunnelRow {
  id: string;
  name: string;
  steps: StoredTarget[];
  created_at: Date;
}

function toFunnel({ id, name, steps, created_at: createdAt }: FunnelRow): Funnel {
  return { id, name, steps: steps.map(toTarget), createdAt: createdAt.toISOString() };
}

/** The value of the column `steps`. */
export const storeSteps = (steps: CreateFunnel['steps']): string => JSON.stringify(steps.map(storeTarget));

/** A site's funnels, oldest first. Throws `NOT_FOUND`. Uses the primary key, at most `MAX_DEFINITIONS` rows. */
export async function listFunnels(ctx: ReportContext, { siteId }: OneSite): Promise<Funnel[]> {
  const rows = await reach(ctx.sql`
    select funnel.* from (${memberSite(ctx, siteId)}) target
    left join site_funnels funnel on funnel.site_id = target.id
    order by funnel.created_at, funnel.id
  `);
  return listed<FunnelRow>(rows, 'site').map(toFunnel);
}

/**
 * Creates a funnel of a site; its report covers all data ever collected. Throws `NOT_FOUND`, `FORBIDDEN` for viewers, `CONFLICT` if
 * another funnel has the name or the site has the maximum number. Reads the site's funnels by their primary key.
 */
export async function createFunnel(
  ctx: AuditedContext<ControlActor>,
  { siteId, ...input }: CreateFunnel,
): Promise<Funnel> {
  const statement = ctx.sql`
    with target as (${memberSite(ctx, siteId)}), made as (
      insert into site_funnels (site_id, name, steps)
      select target.id, ${input.name}, ${storeSteps(input.steps)}::jsonb
      from target
      where target.role in ('owner', 'admin')
        and (select count(*) from site_funnels where site_id = target.id) < ${MAX_DEFINITIONS}
      returning *
    ), audited as (${insertSiteAudit(ctx, 'funnel.create', ctx.sql`made`)})
    select target.role, made.* from target left join made on true
  `;
  const rows = await refuseTakenName(inTurn(ctx.sql, [turnOfSite(ctx.sql, siteId)], statement));
  return toFunnel(requireWritten<FunnelRow>(rows, { what: 'site', refused: tooMany }));
}

/**
 * Changes a funnel's name or all of its steps. Throws `NOT_FOUND`, `FORBIDDEN` for viewers, `CONFLICT` if another funnel has the name.
 * Constant cost, by primary keys.
 */
export async function changeFunnel(
  ctx: AuditedContext<ControlActor>,
  { siteId, funnelId, ...change }: ChangeFunnel,
): Promise<Funnel> {
  const steps = change.steps === undefined ? null : storeSteps(change.steps);
  const statement = ctx.sql`
    with target as (${memberSite(ctx, siteId)}), changed as (
      update site_funnels funnel
      set name = coalesce(${change.name ?? null}, name), steps = coalesce(${steps}::jsonb, steps)
      from target
      where funnel.site_id = target.id and funnel.id = ${funnelId} and target.role in ('owner', 'admin')
      returning funnel.*
    ), audited as (${insertSiteAudit(ctx, 'funnel.change', ctx.sql`changed`)})
    select target.role, changed.* from target left join changed on true
  `;
  const rows = await refuseTakenName(reach(statement));
  return toFunnel(requireWritten<FunnelRow>(rows, { what: 'site', refused: () => notFound('funnel') }));
}

/** Deletes a funnel but no collected data. Throws `NOT_FOUND`, or `FORBIDDEN` for viewers. Constant cost, by primary keys. */
export async function deleteFunnel(
  ctx: AuditedContext<ControlActor>,
  { siteId, funnelId }: OneFunnel,
): Promise<void> {
  const rows = await reach(ctx.sql`
    with target as (${memberSite(ctx, siteId)}), deleted as (
      delete from site_funnels funnel using target
      where funnel.site_id = target.id and funnel.id = ${funnelId} and target.role in ('owner', 'admin')
      returning funnel.id, funnel.name
    ), audited as (${insertSiteAudit(ctx, 'funnel.delete', ctx.sql`deleted`)})
    select target.role, deleted.id from target left join deleted on true
  `);
  requireWritten(rows, { what: 'site', refused: () => notFound('funnel') });
}
