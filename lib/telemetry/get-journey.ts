import { selectVisitAround, type VisitAround } from '../associations/visit-around.ts';
import { noSuchTrace } from '../errors.ts';
import { everKept, MAX_SPANS } from './get-trace.ts';
import type { Journey } from './journey-schemas.ts';
import { type Answer, queryTelemetry, type TelemetryContext } from './query-telemetry.ts';
import { layOut } from './trace/lay-out-spans.ts';
import { KINDS, type OneTrace, type SpanKind, type SpanStatus, STATUSES } from './trace-schemas.ts';

const MAX_OUTCOMES = 100;

interface StoredSpan {
  spanId: string;
  parentSpanId: string | null;
  startNano: string;
  durationNano: string;
  service: string;
  name: string;
  kind: number;
  status: number;
}

interface Row {
  spans: StoredSpan[];
  outcomes: Omit<Journey['outcomes'][number], 'evidence' | 'span'>[];
  pages: { isPermitted: boolean; around: VisitAround | null };
}

/**
 * The spans of a trace, the outcomes that were sent with this trace, and the visit whose page reported it, each with the evidence of its
 * link. A sending that contradicted the outcome creates no link. The journey identifies nobody. Throws `NOT_FOUND` if there is none of
 * these.
 *
 * Uses the primary key of `spans` in each kept day, outcome_sendings_trace, the primary key of `outcomes`, and what `selectVisitAround`
 * does; cost grows with the trace and the visit.
 */
export async function getJourney(
  ctx: TelemetryContext,
  { traceId, ...environment }: OneTrace,
): Promise<Answer<Journey>> {
  const { actor } = ctx;
  const now = ctx.now();
  const { items, meta } = await queryTelemetry<Row>(
    ctx,
    environment,
    { instants: everKept(now), signal: 'traces', filters: { traceId } },
    ctx.sql`
      select (
        select coalesce(jsonb_agg(jsonb_build_object('spanId', span_id_text(span_id), 'parentSpanId', span_id_text(parent_span_id),
          'startNano', start_nano::text, 'durationNano', duration_nano::text, 'service', service, 'name', name, 'kind', kind,
          'status', status) order by start_nano), '[]')
        from (
          select * from spans where environment_key = (select key from environment) and trace_id = ${traceId}::uuid
          order by start_nano, span_id limit ${MAX_SPANS + 1}
        ) span
        join otlp_resources resource on resource.environment_key = span.environment_key and resource.id = resource_id
      ) as spans, (
        select coalesce(jsonb_agg(to_jsonb(listed) order by listed."occurredAt", source, "domainEventId"), '[]') from (
          select source, domain_event_id as "domainEventId", type, wire_instant(occurred_at) as "occurredAt",
            wire_instant(received_at) as "receivedAt",
            case when amount is not null then jsonb_build_object('amount', amount::text, 'currency', currency) end as value,
            span_id_text(sending.span_id) as "spanId", wire_instant(sending.sent_at) as "sentAt"
          from (
            select distinct on (outcome_id) outcome_id, span_id, sent_at from outcome_sendings
            where environment_key = (select key from environment) and trace_id = ${traceId}::uuid and result <> 'conflict'
            order by outcome_id, sent_at limit ${MAX_OUTCOMES + 1}
          ) sending
          join outcomes on outcomes.environment_key = (select key from environment) and outcomes.id = outcome_id
        ) listed
      ) as outcomes, (${selectVisitAround(ctx.sql, actor, { ...environment, traceId }, now)}) as pages
    `,
  );
  const { spans = [], outcomes = [], pages } = items[0] ?? {};
  const around = pages?.around ?? null;
  if (spans.length === 0 && outcomes.length === 0 && around === null) throw noSuchTrace();
  const { start, durationMs, nodes } = layOut(spans.slice(0, MAX_SPANS));
  const indexOf = new Map(
    nodes.flatMap(({ span }, at) => (span === null ? [] : [[span.spanId, at] as const])).reverse(),
  );
  return {
    data: {
      ...{ traceId, start, durationMs },
      association: around && {
        evidence: around.evidence,
        origin: around.origin,
        status: around.status,
        toldAt: around.toldAt,
        pageView: knownIndex(around.pageViews.findIndex(({ asked }) => asked)),
        spanId: around.spanId,
        span: around.spanId === null ? null : (indexOf.get(around.spanId) ?? null),
      },
      visit: around?.visit ?? null,
      pageViews: (around?.pageViews ?? []).map(({ time, path }) => ({ time, path })),
      spans: nodes.map(({ layout, span }) => {
        if (span === null) return { ...layout, missing: true as const };
        const { service, name, kind, status } = span;
        return {
          ...layout,
          missing: false as const,
          ...{ service, name, kind: KINDS[kind] as SpanKind, status: STATUSES[status] as SpanStatus },
        };
      }),
      spansTruncated: spans.length > MAX_SPANS,
      outcomes: outcomes.slice(0, MAX_OUTCOMES).map((outcome) => ({
        ...outcome,
        evidence: 'outcome provenance' as const,
        span: outcome.spanId === null ? null : (indexOf.get(outcome.spanId) ?? null),
      })),
      outcomesTruncated: outcomes.length > MAX_OUTCOMES,
      coverage: {
        pageViews:
          around !== null ? 'observed' : pages?.isPermitted === false ? 'not permitted' : 'not observed',
        spans: spans.length > 0 ? 'observed' : 'not observed',
        outcomes: outcomes.length > 0 ? 'observed' : 'not observed',
      },
    },
    meta,
  };
}

const knownIndex = (index: number): number | null => (index < 0 ? null : index);
