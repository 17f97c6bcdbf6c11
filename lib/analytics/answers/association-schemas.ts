/** What a page’s visits asked of the backend (docs/reports.md#requests-of-a-page). */
import * as v from 'valibot';
import { Count, described, Id } from '../../fields.ts';

const Milliseconds = v.nullable(v.pipe(v.number(), v.minValue(0)));
const TraceId = v.nullable(v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)));

export const AssociationItem = v.object({
  environmentId: Id,
  environment: v.string(),
  origin: described(v.string(), 'To which the requests went.'),
  service: described(v.nullable(v.string()), 'Null: not confirmed, no span is there.'),
  operation: described(v.nullable(v.string()), 'The name of the span that answered. Null: not confirmed.'),
  requests: Count,
  failed: described(v.nullable(Count), 'How many of these spans failed. Null: not confirmed.'),
  p50Ms: described(Milliseconds, 'Half of the spans took at most this time. Null: not confirmed.'),
  p95Ms: described(Milliseconds, '95 of 100 spans took at most this time. Null: not confirmed.'),
  bothSides: described(Count, 'How many are linked by `both sides`.'),
  responseContext: described(Count, 'How many are linked by `response context`.'),
  traceparentSent: described(Count, 'How many are linked by `traceparent sent`.'),
  notConfirmed: described(Count, 'How many are not confirmed.'),
  slowestTraceId: described(TraceId, 'The trace of the slowest of these spans.'),
  failedTraceId: described(TraceId, 'The trace of the last that failed; null: none did.'),
  failedTraceIds: described(
    v.array(v.string()),
    'The traces of the last three that failed, the newest first.',
  ),
});
export type AssociationItem = v.InferOutput<typeof AssociationItem>;

export const AssociationsMeta = v.object({
  approximate: v.optional(described(v.string(), 'Why the figures aren’t of all requests.')),
});
