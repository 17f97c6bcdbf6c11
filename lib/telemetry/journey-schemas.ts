/** The journey of a trace: what is known around it, each link with its evidence (docs/telemetry.md#journey-of-a-trace). */
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
  /** What links it to the trace: a sending of it, by a backend's key, told this trace. */
  evidence: v.literal('outcome provenance'),
  /** The span that the sending told; null if it told the trace only. */
  spanId: v.nullable(spanId),
  /** The place of that span in `spans`; null if it isn't there. */
  span: v.nullable(Count),
  sentAt: Instant,
});

export const Journey = v.object({
  traceId,
  /** Null if no span of it was received. */
  start: v.nullable(Instant),
  durationMs: v.nullable(v.pipe(v.number(), v.minValue(0))),
  /** Page views of the visit around it: none is linked to a trace yet, which `coverage` says. */
  pageViews: v.array(v.never()),
  /** As in the trace, at most 10,000. */
  spans: v.array(v.variant('missing', [JourneySpan, MissingSpan])),
  spansTruncated: v.boolean(),
  /** In the order in which they occurred, at most 100. */
  outcomes: v.array(JourneyOutcome),
  outcomesTruncated: v.boolean(),
  coverage: v.object({
    pageViews: v.literal('not observed'),
    spans: v.picklist(['observed', 'not observed']),
    outcomes: v.picklist(['observed', 'not observed']),
  }),
});
export type Journey = v.InferOutput<typeof Journey>;
