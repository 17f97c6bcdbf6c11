import { type Examples, NOBODYS, SAMPLE } from '../../lib/http/examples.ts';
import type { routes } from './contract.ts';

const outcome = {
  source: 'shop',
  domainEventId: 'order-4711-paid',
  type: 'order.paid',
  occurredAt: '2026-11-21T09:00:00.000Z',
  value: { amount: '129.90', currency: 'EUR' },
  attributes: { plan: 'yearly', seats: 3 },
  traceId: '5b8efff798038103d269b633813fc60c',
  spanId: 'eee19b7ec3c1b174',
  siteId: SAMPLE.siteId,
};
const receivedAt = '2026-11-21T09:00:00.412Z';

export const outcomeExamples = {
  recordOutcomes: [
    {
      summary: 'A paid order',
      status: 201,
      body: outcome,
      response: { data: { status: 'created', receivedAt } },
    },
    {
      summary: 'A batch with the same one twice, and something else under its id',
      status: 200,
      body: { outcomes: [outcome, outcome, { ...outcome, type: 'order.refunded' }] },
      response: {
        data: [
          { status: 'created', receivedAt },
          { status: 'duplicate', receivedAt },
          { status: 'conflict', receivedAt },
        ],
      },
    },
    {
      summary: 'Without a value',
      status: 201,
      body: {
        source: 'shop',
        domainEventId: 'signup-1',
        type: 'signup',
        occurredAt: '2026-11-21T10:00:00+01:00',
      },
    },
    {
      summary: 'An amount that is a number',
      status: 400,
      body: { ...outcome, value: { amount: 129.9, currency: 'EUR' } },
    },
    {
      summary: 'Another project’s site',
      status: 400,
      body: { ...outcome, siteId: NOBODYS },
    },
    { summary: 'Without a key', status: 401, headers: { Authorization: '' }, body: outcome },
    { summary: 'Another type', status: 415, headers: { 'Content-Type': 'text/plain' }, body: outcome },
  ],
} satisfies Partial<Examples<typeof routes>>;
