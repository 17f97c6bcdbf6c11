/** The body of `POST /api/v1/sites/:siteId/events`. Every string is bounded; unknown fields are refused. */
import * as v from 'valibot';
import { Id } from '../fields.ts';
import { isInstant } from '../instants.ts';
import { Consent } from '../privacy/policy.ts';
import { PropertyBag, uuid } from './track-message.ts';
import { EventName, Interactive, PageUrl, Revenue } from './track-request.ts';

export const ServerEvent = v.strictObject({
  id: v.pipe(
    uuid,
    v.description(
      'Yours, and the same whenever the event is sent again: it counts once, also if the tracker sent it too.',
    ),
  ),
  name: EventName,
  url: v.optional(PageUrl),
  occurredAt: v.optional(
    v.pipe(
      v.string(),
      v.maxLength(35),
      v.check(isInstant, 'must be a time like 2026-11-21T09:00:00Z'),
      v.description(
        'When it happened, RFC 3339: at most 24 hours ago, and at most a minute ahead, which is taken for now. Default: now.',
      ),
    ),
  ),
  props: v.optional(PropertyBag),
  revenue: v.optional(Revenue),
  interactive: Interactive,
  visitorId: v.optional(
    v.pipe(
      uuid,
      v.description(
        'The tracker’s first-party id of the visitor; read where tier 3 is allowed. Never of somebody who objected, also by ' +
          'Global Privacy Control or Do Not Track, which this request can’t show.',
      ),
    ),
  ),
  consent: v.optional(v.pipe(Consent, v.description('What the visitor chose on your page.'))),
});
export type ServerEvent = v.InferOutput<typeof ServerEvent>;

export const SendEvents = v.strictObject({
  siteId: Id,
  events: v.pipe(v.array(ServerEvent), v.minLength(1), v.maxLength(20)),
});
export type SendEvents = v.InferOutput<typeof SendEvents>;
