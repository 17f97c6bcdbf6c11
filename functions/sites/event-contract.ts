import * as v from 'valibot';
import { ServerRequest } from '../../lib/collection/server-request.ts';
import { Count } from '../../lib/fields.ts';
import { type RouteContract, unknownSite } from '../../lib/http/contract.ts';

const Receipt = v.strictObject({ accepted: Count, dropped: Count });

const VISITOR = '5c2d9b1e-7f40-4a63-8e15-b06f3a9d2c71';
const purchase = {
  id: '9f3b6a52-1c8e-4d07-a2f4-63e0b7d5c918',
  name: 'purchase',
  revenue: { amount: '129.90', currency: 'EUR' },
  props: { plan: 'yearly', seats: 3 },
};
const one = (changes: object): { events: object[] } => ({ events: [{ ...purchase, ...changes }] });

/** What the OpenAPI document says of events that servers send. */
export const eventRoutes: RouteContract[] = [
  {
    method: 'POST',
    path: '/api/v1/sites/:siteId/events',
    operationId: 'sendEvents',
    tag: 'Events',
    auth: 'apiToken',
    limited: true,
    summary: 'Send custom events from a server: purchases, back-office goals',
    description:
      'With `visitorId`, and where the policy and `consent` allow tier 3, an event joins that visitor’s visit; it makes no visit ' +
      'of its own. Otherwise it is nobody’s, at tier 1, its time cut to the minute. Where the policy records nothing before ' +
      'consent, events without `consent: "granted"` are dropped. The country isn’t known, so `regional` asks everybody. ' +
      'Accepted events are durable; after an error send them again with the same ids.',
    body: { schema: ServerRequest },
    responses: {
      202: {
        description:
          'How many events were kept and dropped; an id that came twice in the request counts once.',
        schema: v.object({ data: Receipt }),
      },
    },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    examples: [
      {
        summary: 'A purchase of a visitor who consented',
        status: 202,
        body: one({ visitorId: VISITOR, consent: 'granted' }),
        response: { data: { accepted: 1, dropped: 0 } },
      },
      {
        summary: 'Nobody’s: an invoice that was paid, and a contract that was signed',
        status: 202,
        body: {
          events: [
            { ...purchase, name: 'invoice paid' },
            { id: 'e1d40c77-52ab-4f9e-9b36-8a7c0f25d4e3', name: 'contract signed' },
          ],
        },
        response: { data: { accepted: 2, dropped: 0 } },
      },
      {
        summary: 'A page of another host',
        status: 202,
        body: one({ url: 'https://shop.invalid/' }),
        response: { data: { accepted: 0, dropped: 1 } },
      },
      { summary: 'Longer than a day ago', status: 400, body: one({ occurredAt: '2026-01-01T00:00:00Z' }) },
      { summary: 'No event at all', status: 400, body: { events: [] } },
      {
        summary: 'A number for an amount',
        status: 400,
        body: one({ revenue: { amount: 9, currency: 'EUR' } }),
      },
      { ...unknownSite, body: one({}) },
    ],
  },
];

export const eventComponents = { ServerRequest };
