import * as v from 'valibot';
import { Receipt } from '../../lib/collection/receipt.ts';
import { SendEvents } from '../../lib/collection/server-request.ts';
import type { Contracts } from '../../lib/http/contract.ts';
import { MANAGEMENT } from './limits.ts';

/** Routes for events that servers send, for the OpenAPI document. */
export const eventRoutes = {
  sendEvents: {
    method: 'POST',
    path: '/api/v1/sites/:siteId/events',
    tag: 'Events',
    auth: 'member',
    summary: 'Send custom events from a server: purchases, back-office goals',
    description:
      'If the policy and `consent` allow tier 3, an event with `visitorId` joins that visitor’s visit; it never starts a ' +
      'visit. Every other event is stored at tier 1 without a visitor, its time cut to the minute. If the policy stores ' +
      'nothing before consent, events without `consent: "granted"` are dropped. The country isn’t known, so `regional` ' +
      'requires consent for every event. Accepted events are durable; after an error send them again with the same ids.',
    input: SendEvents,
    limit: MANAGEMENT,
    responses: {
      202: {
        description: 'The numbers of stored and dropped events; a repeated id in the request counts once.',
        schema: v.object({ data: Receipt }),
      },
    },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
} as const satisfies Contracts;
