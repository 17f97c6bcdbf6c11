import type { Attributes, Json, SpanEvent, SpanLink } from '../../otlp/rows.ts';
import { KINDS, type SpanKind, type SpanStatus, STATUSES, type Trace } from '../trace-schemas.ts';
import { layOut } from './lay-out-spans.ts';

interface StoredOrigin {
  /** Keys of `resources` and `scopes`. */
  resource: string;
  scope: string;
}

interface StoredSpan extends StoredOrigin {
  spanId: string;
  parentSpanId: string | null;
  startNano: string;
  durationNano: string;
  kind: number;
  status: number;
  flags: number;
  name: string;
  statusMessage: string | null;
  attributes: Attributes;
  events: SpanEvent[] | null;
  links: SpanLink[] | null;
  rest: Partial<{
    traceState: string;
    droppedAttributes: number;
    droppedEvents: number;
    droppedLinks: number;
    cutAttributes: number;
  }> | null;
}

interface StoredLog extends StoredOrigin {
  timeNano: string;
  spanId: string | null;
  severity: number;
  severityText: string | null;
  eventName: string | null;
  body: Json;
  attributes: Attributes;
  droppedAttributes: number;
  cutAttributes: number;
  bodyCut: boolean;
}

/** A trace as the database returns it, with spans in any order. */
export interface StoredTrace {
  truncated: boolean;
  spans: StoredSpan[];
  logs: StoredLog[];
  logsTruncated: boolean;
  resources: Record<string, Trace['resources'][number]>;
  scopes: Record<string, Trace['scopes'][number]>;
}

/** A trace as the answer shows it: a tree of spans with corrected clocks and the critical path. */
export function presentTrace(traceId: string, stored: StoredTrace): Trace {
  const resources = indexesOf(stored.resources);
  const scopes = indexesOf(stored.scopes);
  const serviceOf = ({ resource }: StoredOrigin): string => stored.resources[resource]?.service ?? '';
  const originOf = (item: StoredOrigin) => ({
    service: serviceOf(item),
    resource: resources.get(item.resource) ?? 0,
    scope: scopes.get(item.scope) ?? 0,
  });

  const laidOut = layOut(stored.spans.map((span) => ({ ...span, service: serviceOf(span) })));

  return {
    traceId,
    start: laidOut.start,
    durationMs: laidOut.durationMs,
    spanCount: stored.spans.length,
    errorCount: stored.spans.filter(({ status }) => STATUSES[status] === 'error').length,
    services: [...new Set(stored.spans.map(serviceOf))].sort(),
    truncated: stored.truncated,
    spans: laidOut.nodes.map(({ layout, span, clockSkewMs, irregularity }) => {
      if (span === null) return { ...layout, missing: true as const };
      const { parentSpanId, startNano, durationNano, flags, name, statusMessage, attributes, rest } = span;
      return {
        ...layout,
        missing: false as const,
        ...{ parentSpanId, startNano, durationNano, clockSkewMs, irregularity, name },
        kind: KINDS[span.kind] as SpanKind,
        status: STATUSES[span.status] as SpanStatus,
        statusMessage,
        ...originOf(span),
        attributes,
        events: span.events ?? [],
        links: span.links ?? [],
        traceState: rest?.traceState ?? '',
        flags,
        droppedAttributes: rest?.droppedAttributes ?? 0,
        droppedEvents: rest?.droppedEvents ?? 0,
        droppedLinks: rest?.droppedLinks ?? 0,
        cutAttributes: rest?.cutAttributes ?? 0,
      };
    }),
    resources: Object.values(stored.resources),
    scopes: Object.values(stored.scopes),
    logs: stored.logs.map((log) => ({ ...log, ...originOf(log) })),
    logsTruncated: stored.logsTruncated,
  };
}

/** The index of each key in the list of the record's values. */
const indexesOf = (record: Record<string, unknown>): Map<string, number> =>
  new Map(Object.keys(record).map((key, at) => [key, at]));
