import { resealTargets } from '../../lib/collection/seal-visits.ts';
import type { AgentContext } from './agent-context.ts';

/** A Worker may run for 30 s after its answer. The cron does the rest. */
const RESEALING_MS = 20_000;

/** Seals past days again for changed goals and funnels, after the answer, so that their reports are as fast as the others. */
export const resealAfterwards = (ctx: AgentContext, siteId: string): void =>
  ctx.afterwards(resealTargets(ctx, { siteId, timeMs: RESEALING_MS }));

export const OF_ALL_TIME = 'Its report covers all data ever collected.';
