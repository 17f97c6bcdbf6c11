import { reportFunnel } from '../../lib/analytics/funnel.ts';
import { reportGoals } from '../../lib/analytics/goals.ts';
import { changeFunnel } from '../../lib/goals/change-funnel.ts';
import { changeGoal } from '../../lib/goals/change-goal.ts';
import { createFunnel } from '../../lib/goals/create-funnel.ts';
import { createGoal } from '../../lib/goals/create-goal.ts';
import { deleteFunnel } from '../../lib/goals/delete-funnel.ts';
import { deleteGoal } from '../../lib/goals/delete-goal.ts';
import { listFunnels } from '../../lib/goals/list-funnels.ts';
import { listGoals } from '../../lib/goals/list-goals.ts';
import { FunnelChange, GoalChange, NewFunnel, NewGoal } from '../../lib/goals/schemas.ts';
import { NoQuery, readId, readJson, readQuery } from '../../lib/http/read.ts';
import type { AnalyticsApp, Guards } from './guards.ts';
import { inputOf, siteIdOf } from './input.ts';
import { OverviewQuery } from './query.ts';
import { contextOf } from './resources.ts';

/** What visits are to reach, and how many did (contract section 4). */
export function addGoalRoutes(app: AnalyticsApp, { gate, reader, limit }: Guards) {
  return app
    .get('/api/v1/sites/:siteId/analytics/goals', reader, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await listGoals(contextOf(c), siteIdOf(c)) });
    })
    .post('/api/v1/sites/:siteId/analytics/goals', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await createGoal(contextOf(c), siteIdOf(c), await readJson(c, NewGoal)) }, 201);
    })
    .get('/api/v1/sites/:siteId/analytics/goals/report', reader, limit, async (c) => {
      const query = readQuery(c, OverviewQuery);
      return c.json(await reportGoals(contextOf(c), inputOf(c, query)));
    })
    .patch('/api/v1/sites/:siteId/analytics/goals/:goalId', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      const id = { siteId: siteIdOf(c), goalId: readId(c, 'goalId', 'goal') };
      return c.json({ data: await changeGoal(contextOf(c), id, await readJson(c, GoalChange)) });
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
      return c.json(
        { data: await createFunnel(contextOf(c), siteIdOf(c), await readJson(c, NewFunnel)) },
        201,
      );
    })
    .get('/api/v1/sites/:siteId/analytics/funnels/:funnelId/report', reader, limit, async (c) => {
      const query = readQuery(c, OverviewQuery);
      const input = { ...inputOf(c, query), funnelId: readId(c, 'funnelId', 'funnel') };
      return c.json(await reportFunnel(contextOf(c), input));
    })
    .patch('/api/v1/sites/:siteId/analytics/funnels/:funnelId', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      const id = { siteId: siteIdOf(c), funnelId: readId(c, 'funnelId', 'funnel') };
      return c.json({ data: await changeFunnel(contextOf(c), id, await readJson(c, FunnelChange)) });
    })
    .delete('/api/v1/sites/:siteId/analytics/funnels/:funnelId', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      await deleteFunnel(contextOf(c), { siteId: siteIdOf(c), funnelId: readId(c, 'funnelId', 'funnel') });
      return c.body(null, 204);
    });
}
