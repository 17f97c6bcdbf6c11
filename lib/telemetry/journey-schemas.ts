/** The journey of a trace: its spans and outcomes, and the visit around it, each link with its evidence (docs/telemetry.md#journey-of-a-trace). */
import * as v from 'valibot';
import { Evidence } from '../associations/evidence.ts';
import { Count, described, Id, Instant } from '../fields.ts';
import { inTree, Kind, Status, spanId, traceId } from './trace-schemas.ts';

const JourneySpan = v.object({
  ...inTree,
  missing: v.literal(false),
  service: v.string(),
  name: v.string(),
  kind: Kind,
  status: Status,
});
const MissingSpan = v.object({ ...inTree, missing: v.literal(true) });

const JourneyOutcome = v.object({
  source: v.string(),
  domainEventId: v.string(),
  type: v.string(),
  occurredAt: Instant,
  receivedAt: Instant,
  value: v.nullable(v.object({ amount: v.string(), currency: v.string() })),
  /** Why the outcome belongs to the trace: a backend sent the outcome with this trace's id. */
  evidence: v.literal('outcome provenance'),
  /** The span named by the sending; null if the sending named only the trace. */
  spanId: v.nullable(spanId),
  /** Index of that span in `spans`; null if the span isn't there. */
  span: v.nullable(Count),
  sentAt: Instant,
});

const JourneyAssociation = v.object({
  evidence: described(Evidence, 'What links the page view to the trace.'),
  origin: described(v.string(), 'To which the page’s request went.'),
  status: described(v.nullable(Count), 'HTTP status as the page saw it; null: not reported.'),
  toldAt: described(Instant, 'When the page’s word of it was received.'),
  pageView: described(
    v.nullable(Count),
    'Index in `pageViews` of the page that asked; null: it isn’t there.',
  ),
  spanId: described(v.nullable(spanId), 'The span that answered; null: not confirmed.'),
  span: described(v.nullable(Count), 'Index of that span in `spans`; null: it isn’t there.'),
});

const JourneyVisit = v.object({
  siteId: Id,
  domain: v.string(),
  startedAt: Instant,
  source: described(v.string(), 'Where the visit came from; `Direct` without a referrer.'),
});

export const Journey = v.object({
  traceId,
  /** Null if no span of the trace was received. */
  start: v.nullable(Instant),
  durationMs: v.nullable(v.pipe(v.number(), v.minValue(0))),
  association: described(
    v.nullable(JourneyAssociation),
    'The page’s word that its request led to this trace; null: no page reported it.',
  ),
  visit: described(
    v.nullable(JourneyVisit),
    'The visit of that page; null: it isn’t there, or not kept any more.',
  ),
  /** Page views of that visit, in order of time, at most 500. */
  pageViews: v.array(v.object({ time: Instant, path: v.string() })),
  /** The same spans as in the trace, at most 10,000. */
  spans: v.array(v.variant('missing', [JourneySpan, MissingSpan])),
  spansTruncated: v.boolean(),
  /** Ordered by the time when they occurred, at most 100. */
  outcomes: v.array(JourneyOutcome),
  outcomesTruncated: v.boolean(),
  coverage: v.object({
    pageViews: described(
      v.picklist(['observed', 'not observed', 'not permitted']),
      '`not permitted`: the environment’s origins are tied to sites, and you may read none of them, or your token lacks the scope `analytics:read`.',
    ),
    spans: v.picklist(['observed', 'not observed']),
    outcomes: v.picklist(['observed', 'not observed']),
  }),
});
export type Journey = v.InferOutput<typeof Journey>;
