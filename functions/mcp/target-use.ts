/** What is known of a goal's target before it is saved: how often visits reached it, and what it may have meant. */
import { countTargetHits } from '../../lib/analytics/behaviour/target-hits.ts';
import { findNearValues } from '../../lib/analytics/near-values.ts';
import { reportNamed } from '../../lib/analytics/reports.ts';
import type { Target } from '../../lib/goals/target.ts';
import { check } from '../../lib/http/issues.ts';
import { nearest } from '../../lib/nearest.ts';
import { type AgentContext, hasScope } from './agent-context.ts';

const RANGE = { period: '30d' } as const;
const MAX_COMPARED = 100;

export interface TargetUse {
  about: object;
  notes: (string | false)[];
}

/** Names of events, or paths, that are like the target. */
async function nearTargets(ctx: AgentContext, siteId: string, target: Target): Promise<readonly string[]> {
  if ('page' in target) {
    const [near] = await findNearValues(ctx, siteId, [{ filter: 'page', value: target.page }]);
    return near?.nearest ?? [];
  }
  const { input, read } = reportNamed('events');
  const asked = check(input, { siteId, ...RANGE, limit: MAX_COMPARED }) as never;
  const { data } = await read(ctx, asked, { limit: MAX_COMPARED, offset: 0 });
  const names = data.map((event) => (event as { name: string }).name);
  return nearest(target.event, names, (name) => [name]);
}

/** Nothing for a token that may not read reports. */
export async function describeUse(ctx: AgentContext, siteId: string, target: Target): Promise<TargetUse> {
  if (!hasScope(ctx, 'analytics:read')) return { about: {}, notes: [] };
  const last30Days = await countTargetHits(ctx, { siteId, range: RANGE, target });
  if (last30Days.events > 0) return { about: { last30Days }, notes: [] };
  const near = await nearTargets(ctx, siteId, target);
  return {
    about: { last30Days, nearest: near },
    notes: [
      'Nothing reached this target in the last 30 days.',
      near.length > 0 && '`nearest` has what visits did reach: a target must be written as they are.',
    ],
  };
}
