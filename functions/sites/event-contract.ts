import * as v from 'valibot';
import { SendEvents } from '../../lib/collection/server-request.ts';
import { Count } from '../../lib/fields.ts';
import type { Contracts } from '../../lib/http/contract.ts';
import { MANAGEMENT } from './limits.ts';

const Receipt = v.strictObject({ accepted: Count, dropped: Count });

/** What the OpenAPI document says of events that servers send. */
export const eventRoutes = {
  sendEvents: {
    method: 'POST',
    path: '/api/v1/sites/:siteId/events',
    tag: 'Events',
    auth: 'member',
    summary: 'Send custom events from a server: purchases, back-office goals',
    description:
      'With `visitorId`, and where the policy and `consent` allow tier 3, an event joins that visitor’s visit; it makes no visit ' +
      'of its own. Otherwise it is nobody’s, at tier 1, its time cut to the minute. Where the policy records nothing before ' +
      'consent, events without `consent: "granted"` are dropped. The country isn’t known, so `regional` asks everybody. ' +
      'Accepted events are durable; after an error send them again with the same ids.',
    input: SendEvents,
    limit: MANAGEMENT,
    responses: {
      202: {
        description:
          'How many events were kept and dropped; an id that came twice in the request counts once.',
        schema: v.object({ data: Receipt }),
      },
    },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
} as const satisfies Contracts;
