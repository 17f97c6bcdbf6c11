import { reportFunnel } from '../../lib/analytics/funnel.ts';
import { reportGoals } from '../../lib/analytics/goals.ts';
import { resealTargets } from '../../lib/collection/seal-visits.ts';
import { changeFunnel } from '../../lib/goals/change-funnel.ts';
import { changeGoal } from '../../lib/goals/change-goal.ts';
import { createFunnel } from '../../lib/goals/create-funnel.ts';
import { createGoal } from '../../lib/goals/create-goal.ts';
import { deleteFunnel } from '../../lib/goals/delete-funnel.ts';
import { deleteGoal } from '../../lib/goals/delete-goal.ts';
import { listFunnels } from '../../lib/goals/list-funnels.ts';
import { listGoals } from '../../lib/goals/list-goals.ts';
import { FunnelChange, GoalChange, NewFunnel, NewGoal } from '../../lib/goals/schemas.ts';
import { type Afterwards, afterwards } from '../../lib/http/afterwards.ts';
import { NoQuery, readId, readJson, readQuery, siteIdOf } from '../../lib/http/read.ts';
import type { AnalyticsApp, Guards } from './guards.ts';
import { inputOf } from './input.ts';
import { OverviewQuery } from './query.ts';
import { contextOf } from './resources.ts';

/** A Worker may go on for 30 s after its answer. What is left the cron does. */
const RESEALING_MS = 20_000;

/** Sums up past days for what has changed, so that it is reported on as fast as everything else. */
const resealAfterwards = (c: Afterwards & Parameters<typeof contextOf>[0], siteId: string) =>
  afterwards(c, 'analytics', resealTargets(contextOf(c), siteId, { timeMs: RESEALING_MS }));

/** What visits are to reach, and how many did (docs/reports.md#goals-funnels-and-annotations). */
export function addGoalRoutes(app: AnalyticsApp, { gate, reader, limit }: Guards) {
  return app
    .get('/api/v1/sites/:siteId/analytics/goals', reader, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await listGoals(contextOf(c), siteIdOf(c)) });
    })
    .post('/api/v1/sites/:siteId/analytics/goals', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      const goal = await createGoal(contextOf(c), siteIdOf(c), await readJson(c, NewGoal));
      resealAfterwards(c, siteIdOf(c));
      return c.json({ data: goal }, 201);
    })
    .get('/api/v1/sites/:siteId/analytics/goals/report', reader, limit, async (c) => {
      const query = readQuery(c, OverviewQuery);
      return c.json(await reportGoals(contextOf(c), inputOf(c, query)));
    })
    .patch('/api/v1/sites/:siteId/analytics/goals/:goalId', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      const id = { siteId: siteIdOf(c), goalId: readId(c, 'goalId', 'goal') };
      const goal = await changeGoal(contextOf(c), id, await readJson(c, GoalChange));
      resealAfterwards(c, siteIdOf(c));
      return c.json({ data: goal });
    })
    .delete('/api/v1/sites/:siteId/analytics/goals/:goalId', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      await deleteGoal(contextOf(c), { siteId: siteIdOf(c), goalId: readId(c, 'goalId', 'goal') });
      return c.body(null, 204);
    })
    .get('/api/v1/sites/:siteId/analytics/funnels', reader, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await listFunnels(contextOf(c), siteIdOf(c)) });
    })
    .post('/api/v1/sites/:siteId/analytics/funnels', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      const funnel = await createFunnel(contextOf(c), siteIdOf(c), await readJson(c, NewFunnel));
      resealAfterwards(c, siteIdOf(c));
      return c.json({ data: funnel }, 201);
    })
    .get('/api/v1/sites/:siteId/analytics/funnels/:funnelId/report', reader, limit, async (c) => {
      const query = readQuery(c, OverviewQuery);
      const input = { ...inputOf(c, query), funnelId: readId(c, 'funnelId', 'funnel') };
      return c.json(await reportFunnel(contextOf(c), input));
    })
    .patch('/api/v1/sites/:siteId/analytics/funnels/:funnelId', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      const id = { siteId: siteIdOf(c), funnelId: readId(c, 'funnelId', 'funnel') };
      const funnel = await changeFunnel(contextOf(c), id, await readJson(c, FunnelChange));
      resealAfterwards(c, siteIdOf(c));
      return c.json({ data: funnel });
    })
    .delete('/api/v1/sites/:siteId/analytics/funnels/:funnelId', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      await deleteFunnel(contextOf(c), { siteId: siteIdOf(c), funnelId: readId(c, 'funnelId', 'funnel') });
      return c.body(null, 204);
    });
}
