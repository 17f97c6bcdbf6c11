/** The journey of a trace: its spans and outcomes, each link with its evidence (docs/telemetry.md#journey-of-a-trace). */
import * as v from 'valibot';
import { Count, Instant } from '../fields.ts';
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

export const Journey = v.object({
  traceId,
  /** Null if no span of the trace was received. */
  start: v.nullable(Instant),
  durationMs: v.nullable(v.pipe(v.number(), v.minValue(0))),
  /** Page views of the visit around the trace. No page view is linked to a trace yet; `coverage` says so. */
  pageViews: v.array(v.never()),
  /** The same spans as in the trace, at most 10,000. */
  spans: v.array(v.variant('missing', [JourneySpan, MissingSpan])),
  spansTruncated: v.boolean(),
  /** Ordered by the time when they occurred, at most 100. */
  outcomes: v.array(JourneyOutcome),
  outcomesTruncated: v.boolean(),
  coverage: v.object({
    pageViews: v.literal('not observed'),
    spans: v.picklist(['observed', 'not observed']),
    outcomes: v.picklist(['observed', 'not observed']),
  }),
});
export type Journey = v.InferOutput<typeof Journey>;
