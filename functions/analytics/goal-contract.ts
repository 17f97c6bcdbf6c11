import * as v from 'valibot';
import { FunnelReport, GoalItem, ReachMeta } from '../../lib/analytics/answers/goal-schemas.ts';
import {
  ChangeFunnel,
  ChangeGoal,
  CreateFunnel,
  CreateGoal,
  Funnel,
  Goal,
  OneFunnel,
  OneGoal,
} from '../../lib/goals/schemas.ts';
import type { Contracts } from '../../lib/http/contract.ts';
import { OneSite } from '../../lib/sites/schemas.ts';
import { QUERIES } from './limits.ts';

const goals = { tag: 'Goals', auth: 'member', limit: QUERIES } as const;
const funnels = { tag: 'Funnels', auth: 'member', limit: QUERIES } as const;
const base = '/api/v1/sites/:siteId/analytics';
const GoalAnswer = v.object({ data: Goal });
const FunnelAnswer = v.object({ data: Funnel });

/** Goals and funnels, as members define them. */
export const goalRoutes = {
  listGoals: {
    ...goals,
    method: 'GET',
    path: `${base}/goals`,
    summary: 'All goals of a site, oldest first',
    input: OneSite,
    responses: { 200: { description: 'The goals.', schema: v.object({ data: v.array(Goal) }) } },
    errors: ['NOT_FOUND'],
  },
  createGoal: {
    ...goals,
    audit: 'goal.create',
    method: 'POST',
    path: `${base}/goals`,
    summary: 'Create a goal',
    description:
      'A visit reaches a goal by a custom event or by a page view. The report covers all data ever collected. A site has at ' +
      'most 100 goals.',
    input: CreateGoal,
    responses: { 201: { description: 'The new goal.', schema: GoalAnswer } },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  changeGoal: {
    ...goals,
    audit: 'goal.change',
    method: 'PATCH',
    path: `${base}/goals/:goalId`,
    summary: 'Change a goal',
    input: ChangeGoal,
    responses: { 200: { description: 'The changed goal.', schema: GoalAnswer } },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  deleteGoal: {
    ...goals,
    audit: 'goal.delete',
    method: 'DELETE',
    path: `${base}/goals/:goalId`,
    summary: 'Delete a goal',
    input: OneGoal,
    responses: { 204: { description: 'Deleted.' } },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
  listFunnels: {
    ...funnels,
    method: 'GET',
    path: `${base}/funnels`,
    summary: 'All funnels of a site, oldest first',
    input: OneSite,
    responses: { 200: { description: 'The funnels.', schema: v.object({ data: v.array(Funnel) }) } },
    errors: ['NOT_FOUND'],
  },
  createFunnel: {
    ...funnels,
    audit: 'funnel.create',
    method: 'POST',
    path: `${base}/funnels`,
    summary: 'Create a funnel',
    description:
      '2 to 8 steps. Each step is a custom event or a page view, like a goal. A site has at most 100 funnels.',
    input: CreateFunnel,
    responses: { 201: { description: 'The new funnel.', schema: FunnelAnswer } },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  changeFunnel: {
    ...funnels,
    audit: 'funnel.change',
    method: 'PATCH',
    path: `${base}/funnels/:funnelId`,
    summary: 'Change a funnel',
    input: ChangeFunnel,
    responses: { 200: { description: 'The changed funnel.', schema: FunnelAnswer } },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  deleteFunnel: {
    ...funnels,
    audit: 'funnel.delete',
    method: 'DELETE',
    path: `${base}/funnels/:funnelId`,
    summary: 'Delete a funnel',
    input: OneFunnel,
    responses: { 204: { description: 'Deleted.' } },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
} as const satisfies Contracts;

export const goalComponents = { Goal, GoalItem, Funnel, FunnelReport, ReachMeta };
