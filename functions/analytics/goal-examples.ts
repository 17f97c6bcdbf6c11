import { type Examples, NOBODYS, type RouteExample, SAMPLE, unknownSite } from '../../lib/http/examples.ts';
import type { goalRoutes } from './goal-contract.ts';

const taken = {
  error: 'CONFLICT',
  message: 'The site already has one with this name. Choose another name.',
};
const createdAt = '2026-11-21T09:00:00.000Z';
const goal = { id: SAMPLE.goalId, name: 'Signed up', event: 'signup', createdAt };
const steps = [{ page: '/pricing' }, { page: '/signup/**' }, { event: 'signup' }];
const funnel = { id: SAMPLE.funnelId, name: 'From prices to an account', steps, createdAt };
const nobodysGoal: RouteExample = { summary: 'Nobody’s goal', status: 404, params: { goalId: NOBODYS } };
const nobodysFunnel: RouteExample = {
  summary: 'Nobody’s funnel',
  status: 404,
  params: { funnelId: NOBODYS },
};
const noParameter: RouteExample = {
  summary: 'A parameter that does not exist',
  status: 400,
  query: { period: '7d' },
};
const nothing: RouteExample = { summary: 'Nothing to change', status: 400, body: {} };

export const goalExamples: Examples<typeof goalRoutes> = {
  listGoals: [{ summary: 'All goals', status: 200, response: { data: [goal] } }, noParameter, unknownSite],
  createGoal: [
    { summary: 'An event', status: 201, body: { name: 'Paid', event: 'purchase' } },
    { summary: 'One page', status: 201, body: { name: 'Saw the prices', page: '/pricing' } },
    { summary: 'Any article', status: 201, body: { name: 'Read an article', page: '/blog/*' } },
    { summary: 'All below a page', status: 201, body: { name: 'Documentation', page: '/docs/**' } },
    { summary: 'A name that is taken', status: 409, body: { name: 'Signed up', page: '/' }, response: taken },
    { summary: 'Both at once', status: 400, body: { name: 'Both', event: 'signup', page: '/' } },
    { summary: 'A part of a segment', status: 400, body: { name: 'In 2026', page: '/blog/2026-*' } },
    { ...unknownSite, body: { name: 'Paid', event: 'purchase' } },
  ],
  changeGoal: [
    {
      summary: 'A new name',
      status: 200,
      body: { name: 'Joined' },
      response: { data: { ...goal, name: 'Joined' } },
    },
    { summary: 'Another page', status: 200, body: { page: '/welcome' } },
    { summary: 'A name that is taken', status: 409, body: { name: 'Read the docs' }, response: taken },
    nothing,
    { ...nobodysGoal, body: { name: 'New' } },
  ],
  deleteGoal: [{ summary: 'A goal', status: 204 }, nobodysGoal, unknownSite],
  listFunnels: [
    { summary: 'All funnels', status: 200, response: { data: [funnel] } },
    noParameter,
    unknownSite,
  ],
  createFunnel: [
    { summary: 'Three steps', status: 201, body: { name: 'To an account', steps } },
    { summary: 'A name that is taken', status: 409, body: { name: funnel.name, steps }, response: taken },
    { summary: 'A single step', status: 400, body: { name: 'Short', steps: [{ event: 'signup' }] } },
    { summary: 'An empty step', status: 400, body: { name: 'Empty', steps: [{ event: 'signup' }, {}] } },
    { ...unknownSite, body: { name: 'To an account', steps } },
  ],
  changeFunnel: [
    { summary: 'A new name', status: 200, body: { name: 'Joining' } },
    { summary: 'Other steps', status: 200, body: { steps: [{ page: '/' }, { event: 'signup' }] } },
    { summary: 'A name that is taken', status: 409, body: { name: 'Reading' }, response: taken },
    nothing,
    { ...nobodysFunnel, body: { name: 'New' } },
  ],
  deleteFunnel: [{ summary: 'A funnel', status: 204 }, nobodysFunnel, unknownSite],
};
