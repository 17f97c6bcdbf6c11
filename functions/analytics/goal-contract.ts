import * as v from 'valibot';
import { FunnelReport, GoalItem, ReachMeta } from '../../lib/analytics/goal-schemas.ts';
import { Funnel, FunnelChange, Goal, GoalChange, NewFunnel, NewGoal } from '../../lib/goals/schemas.ts';
import {
  NOBODYS,
  type RouteContract,
  type RouteExample,
  SAMPLE,
  unknownSite,
} from '../../lib/http/contract.ts';
import { OverviewQuery } from './query.ts';
import { sampleMeta } from './sample-meta.ts';

const base = '/api/v1/sites/:siteId/analytics';
const taken = {
  error: 'CONFLICT',
  message: 'The site already has one with this name. Choose another name.',
};

const meta = { ...sampleMeta, approximate: ['anonymousCounts' as const] };
const reports: RouteExample[] = [
  { summary: 'The last 7 days', status: 200, query: { period: '7d' } },
  { summary: 'Of visits from Portugal', status: 200, query: { filter_country: 'PT' } },
  { summary: 'Of visits that reached a goal', status: 200, query: { filter_goal: 'Signed up' } },
  { summary: 'A parameter that does not exist', status: 400, query: { limit: '10' } },
  unknownSite,
];

/** What goals and funnels have in common; `id` is the name of the path's parameter. */
interface Kind {
  tag: string;
  one: string;
  many: string;
  id: 'goalId' | 'funnelId';
  schema: typeof Goal | typeof Funnel;
  input: typeof NewGoal | typeof NewFunnel;
  change: typeof GoalChange | typeof FunnelChange;
  sample: object;
  description: string;
  created: RouteExample[];
  changed: RouteExample[];
}

function definitions(kind: Kind): RouteContract[] {
  const { tag, one, many, id, schema, input, change, sample, description, created, changed } = kind;
  const shared = { tag, auth: 'apiToken', limited: true } as const;
  const path = `${base}/${many}`;
  const name = `${one[0]?.toUpperCase()}${one.slice(1)}`;
  const nobodys: RouteExample = { summary: `Nobody’s ${one}`, status: 404, params: { [id]: NOBODYS } };
  return [
    {
      ...shared,
      method: 'GET',
      path,
      operationId: `list${tag}`,
      summary: `All ${many} of a site, oldest first`,
      responses: { 200: { description: `The ${many}.`, schema: v.object({ data: v.array(schema) }) } },
      errors: ['NOT_FOUND'],
      examples: [
        { summary: `All ${many}`, status: 200, response: { data: [sample] } },
        { summary: 'A parameter that does not exist', status: 400, query: { period: '7d' } },
        unknownSite,
      ],
    },
    {
      ...shared,
      method: 'POST',
      path,
      operationId: `create${name}`,
      summary: `Make a ${one}`,
      description,
      body: { schema: input },
      responses: { 201: { description: `The new ${one}.`, schema: v.object({ data: schema }) } },
      errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
      examples: [...created, { ...unknownSite, body: created[0]?.body }],
    },
    {
      ...shared,
      method: 'PATCH',
      path: `${path}/:${id}`,
      operationId: `change${name}`,
      summary: `Change a ${one}`,
      body: { schema: change },
      responses: { 200: { description: `The ${one} as it is now.`, schema: v.object({ data: schema }) } },
      errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
      examples: [
        ...changed,
        { summary: 'Nothing to change', status: 400, body: {} },
        { ...nobodys, body: { name: 'New' } },
      ],
    },
    {
      ...shared,
      method: 'DELETE',
      path: `${path}/:${id}`,
      operationId: `delete${name}`,
      summary: `Delete a ${one}`,
      responses: { 204: { description: 'Deleted.' } },
      errors: ['FORBIDDEN', 'NOT_FOUND'],
      examples: [{ summary: `A ${one}`, status: 204 }, nobodys, unknownSite],
    },
  ];
}

const createdAt = '2026-11-21T09:00:00.000Z';
const goal = { id: SAMPLE.goalId, name: 'Signed up', event: 'signup', createdAt };
const steps = [{ page: '/pricing' }, { page: '/signup/**' }, { event: 'signup' }];
const funnel = { id: SAMPLE.funnelId, name: 'From prices to an account', steps, createdAt };

/** What the OpenAPI document says of goals and funnels. */
export const goalRoutes: RouteContract[] = [
  ...definitions({
    tag: 'Goals',
    one: 'goal',
    many: 'goals',
    id: 'goalId',
    schema: Goal,
    input: NewGoal,
    change: GoalChange,
    sample: goal,
    description:
      'A goal is reached by a custom event or by a page view. It is reported on all that was ever collected. A site holds at ' +
      'most 100.',
    created: [
      { summary: 'An event', status: 201, body: { name: 'Paid', event: 'purchase' } },
      { summary: 'One page', status: 201, body: { name: 'Saw the prices', page: '/pricing' } },
      { summary: 'Any article', status: 201, body: { name: 'Read an article', page: '/blog/*' } },
      { summary: 'All below a page', status: 201, body: { name: 'Documentation', page: '/docs/**' } },
      {
        summary: 'A name that is taken',
        status: 409,
        body: { name: 'Signed up', page: '/' },
        response: taken,
      },
      { summary: 'Both at once', status: 400, body: { name: 'Both', event: 'signup', page: '/' } },
      { summary: 'A part of a segment', status: 400, body: { name: 'In 2026', page: '/blog/2026-*' } },
    ],
    changed: [
      {
        summary: 'A new name',
        status: 200,
        body: { name: 'Joined' },
        response: { data: { ...goal, name: 'Joined' } },
      },
      { summary: 'Another page', status: 200, body: { page: '/welcome' } },
      { summary: 'A name that is taken', status: 409, body: { name: 'Read the docs' }, response: taken },
    ],
  }),
  {
    tag: 'Goals',
    auth: 'apiToken',
    limited: true,
    method: 'GET',
    path: `${base}/goals/report`,
    operationId: 'getGoalsReport',
    summary: 'How many visits reached each goal',
    description:
      'All goals, those reached by most visits first. Everything is counted among the visits that began in the range. ' +
      '`meta.approximate` says whether the rates are exact.',
    query: OverviewQuery,
    responses: {
      200: { description: 'The report.', schema: v.object({ data: v.array(GoalItem), meta: ReachMeta }) },
    },
    errors: ['NOT_FOUND'],
    examples: [
      {
        summary: 'Of 30 days',
        status: 200,
        response: {
          data: [
            {
              id: goal.id,
              name: goal.name,
              event: goal.event,
              conversions: 31,
              conversionRate: 7.7,
              events: 33,
              visitors: 28,
              revenue: [{ currency: 'EUR', amount: '1240.50' }],
            },
          ],
          meta,
        },
      },
      ...reports,
    ],
  },
  ...definitions({
    tag: 'Funnels',
    one: 'funnel',
    many: 'funnels',
    id: 'funnelId',
    schema: Funnel,
    input: NewFunnel,
    change: FunnelChange,
    sample: funnel,
    description: '2 to 8 steps, each a custom event or a page view as a goal’s. A site holds at most 100.',
    created: [
      { summary: 'Three steps', status: 201, body: { name: 'To an account', steps } },
      { summary: 'A name that is taken', status: 409, body: { name: funnel.name, steps }, response: taken },
      { summary: 'A single step', status: 400, body: { name: 'Short', steps: [{ event: 'signup' }] } },
      { summary: 'An empty step', status: 400, body: { name: 'Empty', steps: [{ event: 'signup' }, {}] } },
    ],
    changed: [
      { summary: 'A new name', status: 200, body: { name: 'Joining' } },
      { summary: 'Other steps', status: 200, body: { steps: [{ page: '/' }, { event: 'signup' }] } },
      { summary: 'A name that is taken', status: 409, body: { name: 'Reading' }, response: taken },
    ],
  }),
  {
    tag: 'Funnels',
    auth: 'apiToken',
    limited: true,
    method: 'GET',
    path: `${base}/funnels/:funnelId/report`,
    operationId: 'getFunnelReport',
    summary: 'How far visits came in a funnel',
    description:
      'Of visits at tiers 2 and 3 that began in the range. Steps are taken in order within one visit, with anything in ' +
      'between; one page view or event may be several steps at once. A visitor who consents on the way goes on as another visit.',
    query: OverviewQuery,
    responses: {
      200: { description: 'The report.', schema: v.object({ data: FunnelReport, meta: ReachMeta }) },
    },
    errors: ['NOT_FOUND'],
    examples: [
      {
        summary: 'Of 30 days',
        status: 200,
        response: {
          data: {
            id: funnel.id,
            name: funnel.name,
            steps: [
              { page: '/pricing', visits: 120, share: 100, dropOff: 0 },
              { page: '/signup/**', visits: 48, share: 40, dropOff: 60 },
              { event: 'signup', visits: 31, share: 25.8, dropOff: 35.4 },
            ],
          },
          meta: { ...meta, approximate: [] },
        },
      },
      ...reports,
      { summary: 'Nobody’s funnel', status: 404, params: { funnelId: NOBODYS } },
    ],
  },
];

export const goalComponents = {
  Goal,
  NewGoal,
  GoalChange,
  GoalItem,
  Funnel,
  NewFunnel,
  FunnelChange,
  FunnelReport,
  ReachMeta,
};
