import * as v from 'valibot';
import { NOBODYS, type RouteContract, SAMPLE } from '../../lib/http/contract.ts';
import {
  MAX_OUTCOMES,
  NewOutcome,
  NewOutcomes,
  OutcomeReceipt,
  OutcomeResult,
} from '../../lib/outcomes/schemas.ts';

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

/** What the OpenAPI document says of outcomes as backends send them. */
export const outcomeRoutes: RouteContract[] = [
  {
    method: 'POST',
    path: '/api/v1/telemetry/outcomes',
    operationId: 'recordOutcomes',
    tag: 'Outcomes',
    auth: 'ingestKey',
    limited: true,
    summary: `Confirm one business outcome, or up to ${MAX_OUTCOMES}`,
    description:
      'Needs an ingest key with `outcomes`, else 403. `source` and `domainEventId` together are an outcome’s identity in its environment, for as long ' +
      'as that exists. `type`, `occurredAt`, `value`, `attributes` and `siteId` are business: sent again with the same ones it is a `duplicate` (amounts ' +
      'compare as numbers, times as instants), with others a conflict (409), and what was recorded stays as it is. `traceId`, `spanId` and ' +
      '`sessionId` are provenance: a retry from another trace is the same event. Each sending is kept with its provenance, apart from the confirmation. ' +
      'Of a batch each outcome has a status of its own, in the order sent; an invalid one doesn’t keep the others back.',
    body: { schema: v.union([NewOutcome, NewOutcomes]) },
    responses: {
      200: {
        description: 'Of one: it was recorded before. Of a batch: what became of each.',
        schema: v.object({ data: v.union([OutcomeReceipt, v.array(OutcomeResult)]) }),
      },
      201: { description: 'Recorded.', schema: v.object({ data: OutcomeReceipt }) },
    },
    errors: ['FORBIDDEN', 'CONFLICT'],
    examples: [
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
  },
];

export const outcomeComponents = { NewOutcome, OutcomeReceipt, OutcomeResult };
