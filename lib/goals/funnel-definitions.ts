/** Funnels of a site. What each verb does, throws and costs is in definitions.ts. */
import type { AuditedContext } from '../audit.ts';
import type { ControlActor, ReportContext } from '../context.ts';
import type { OneSite } from '../sites/schemas.ts';
import { definitionsOf, type StoredDefinition } from './definitions.ts';
import type { ChangeFunnel, CreateFunnel, Funnel, OneFunnel } from './schemas.ts';
import { type StoredTarget, storeTarget, toTarget } from './target.ts';

type FunnelRow = StoredDefinition & { steps: StoredTarget[] };

/** The value of the column `steps`. */
export const storeSteps = (steps: CreateFunnel['steps']): string => JSON.stringify(steps.map(storeTarget));

const funnels = definitionsOf<Omit<CreateFunnel, 'siteId'>, FunnelRow>({
  what: 'funnel',
  table: (sql) => sql`site_funnels`,
  columns: (sql, { steps }) => [
    { column: sql`steps`, value: sql`${steps === undefined ? null : storeSteps(steps)}::jsonb` },
  ],
});

const toFunnel = ({ id, name, steps, created_at: createdAt }: FunnelRow): Funnel => ({
  ...{ id, name, steps: steps.map(toTarget) },
  createdAt: createdAt.toISOString(),
});

export const listFunnels = async (ctx: ReportContext, { siteId }: OneSite): Promise<Funnel[]> =>
  (await funnels.list(ctx, siteId)).map(toFunnel);

/** The funnel's report covers all data ever collected. */
export const createFunnel = async (
  ctx: AuditedContext<ControlActor>,
  { siteId, ...input }: CreateFunnel,
): Promise<Funnel> => toFunnel(await funnels.create(ctx, siteId, input));

/** New steps replace all of the old ones, and apply to old data too. */
export const changeFunnel = async (
  ctx: AuditedContext<ControlActor>,
  { siteId, funnelId, ...change }: ChangeFunnel,
): Promise<Funnel> => toFunnel(await funnels.change(ctx, siteId, funnelId, change));

export const deleteFunnel = (
  ctx: AuditedContext<ControlActor>,
  { siteId, funnelId }: OneFunnel,
): Promise<void> => funnels.delete(ctx, siteId, funnelId);
