import * as v from 'valibot';
import { type RouteContract, SAMPLE, unknownEnvironment } from '../../lib/http/contract.ts';
import { Journey } from '../../lib/telemetry/journey-schemas.ts';
import { TelemetryMeta } from '../../lib/telemetry/schemas.ts';
import { Trace, TraceItem } from '../../lib/telemetry/trace-schemas.ts';
import { ENVIRONMENT } from './place.ts';
import { PagedMeta, sampleMeta, shared } from './query-contract.ts';
import { TracesQuery } from './trace-query.ts';

const [traceId, spanId, rootId] = [SAMPLE.traceId, 'eee19b7ec3c1b174', '051581bf3cb55c13'];
const TraceId = v.pipe(v.string(), v.regex(/^[0-9A-Fa-f]{32}$/));

const item = {
  ...{ traceId, start: '2026-11-21T09:59:12.004Z', durationMs: 50.112, spans: 2, errors: 1 },
  services: ['shop', 'web'],
  truncated: false,
  root: { observed: true, service: 'web', operation: 'GET /cart' },
  match: {
    ...{ spanId, service: 'shop', operation: 'GET /cart', kind: 'server', status: 'error' },
    ...{ statusMessage: 'card declined', start: '2026-11-21T09:59:12.008Z', durationMs: 41.3 },
  },
};

const span = {
  ...{
    spanId: rootId,
    parent: null,
    depth: 0,
    offsetMs: 0,
    durationMs: 50.112,
    criticalMs: 8.812,
    missing: false,
  },
  ...{ parentSpanId: null, startNano: '1795255152004000000', durationNano: '50112000', clockSkewMs: 0 },
  ...{
    irregularity: null,
    name: 'GET /cart',
    kind: 'server',
    status: 'unset',
    statusMessage: null,
    service: 'web',
  },
  ...{ resource: 0, scope: 0, attributes: { 'http.request.method': 'GET' }, events: [], links: [] },
  ...{ traceState: '', flags: 257, droppedAttributes: 0, droppedEvents: 0, droppedLinks: 0 },
};
const trace = {
  ...{
    traceId,
    start: '2026-11-21T09:59:12.004Z',
    durationMs: 50.112,
    spanCount: 1,
    errorCount: 0,
    services: ['web'],
  },
  truncated: false,
  spans: [span],
  resources: [{ service: 'web', attributes: { 'service.name': 'web' }, schemaUrl: '', droppedAttributes: 0 }],
  scopes: [{ name: 'http', version: '1.0.0', attributes: {}, schemaUrl: '', droppedAttributes: 0 }],
  logs: [],
  logsTruncated: false,
};

const journey = {
  ...{ traceId, start: trace.start, durationMs: trace.durationMs, pageViews: [] },
  spans: [
    {
      ...{
        spanId: rootId,
        parent: null,
        depth: 0,
        offsetMs: 0,
        durationMs: 50.112,
        criticalMs: 50.112,
        missing: false,
      },
      ...{ service: 'web', name: 'POST /order', kind: 'server', status: 'unset' },
    },
  ],
  spansTruncated: false,
  outcomes: [
    {
      ...{ source: 'shop', domainEventId: 'order-4711-paid', type: 'order.paid' },
      ...{ occurredAt: '2026-11-21T09:59:12.040Z', receivedAt: '2026-11-21T09:59:12.412Z' },
      value: { amount: '129.90', currency: 'EUR' },
      ...{ evidence: 'outcome provenance', spanId: rootId, span: 0, sentAt: '2026-11-21T09:59:12.412Z' },
    },
  ],
  outcomesTruncated: false,
  coverage: { pageViews: 'not observed', spans: 'observed', outcomes: 'observed' },
};
const nobodysTrace = {
  summary: 'Nobody’s trace',
  status: 404,
  params: { traceId: '00000000000000000000000000000001' },
};

/** What the OpenAPI document says of traces. */
export const traceRoutes: RouteContract[] = [
  {
    ...shared,
    path: `${ENVIRONMENT}/traces`,
    operationId: 'listTraces',
    summary: 'Traces with a span that is all that is asked for, newest first',
    description:
      'In the order of the newest such span, each once. Besides the parameters below, `attr.<key>` is the value of an attribute of the span and ' +
      '`resource.<key>` of who sent it, together at most 8: `attr.http.response.status_code=500` finds the number and the text, and a list with ' +
      'one of them in it. A page examines at most 20,000 spans, so that it may have fewer traces than `limit`, or none, and go on: ' +
      'only `nextCursor: null` is the end. `meta.examined` is how many it were.',
    query: TracesQuery,
    responses: {
      200: {
        description: 'The traces.',
        schema: v.object({
          data: v.array(TraceItem),
          meta: v.object({ ...PagedMeta.entries, examined: v.pipe(v.number(), v.integer()) }),
        }),
      },
    },
    examples: [
      {
        summary: 'The newest errors',
        status: 200,
        query: { status: 'error', limit: '50' },
        response: {
          data: [item],
          meta: {
            ...sampleMeta,
            scope: { ...sampleMeta.scope, filters: { status: 'error' } },
            ...{ examined: 1, nextCursor: null },
          },
        },
      },
      {
        summary: 'Slow ones of an operation with an attribute',
        status: 200,
        query: {
          service: 'shop',
          operation: 'GET /cart',
          minDurationMs: '20.5',
          'attr.http.request.method': 'GET',
          'resource.service.name': 'shop',
        },
      },
      { summary: 'A text', status: 200, query: { q: 'declined', period: '7d' } },
      { summary: 'A status that isn’t one', status: 400, query: { status: '500' } },
      { summary: 'An attribute without a key', status: 400, query: { 'attr.': 'GET' } },
      { summary: 'Not a cursor', status: 400, query: { cursor: '1' } },
      unknownEnvironment,
    ],
  },
  {
    ...shared,
    path: `${ENVIRONMENT}/traces/:traceId`,
    operationId: 'getTrace',
    summary: 'A trace: its spans as a tree, with the critical path, and its logs',
    description:
      'Each span stands before its children. `missing` ones were not received, and are known by their children. Where the clocks of two ' +
      'services don’t agree, a span is shown within its parent: `clockSkewMs` says by how much it was moved, `startNano` when it began by its ' +
      'own clock. `criticalMs` of all spans add up to the duration of the root that lasts longest. At most 10,000 spans and 500 logs.',
    params: { traceId: TraceId },
    responses: {
      200: { description: 'The trace.', schema: v.object({ data: Trace, meta: TelemetryMeta }) },
    },
    examples: [
      { summary: 'A trace', status: 200, response: { data: trace, meta: sampleMeta } },
      nobodysTrace,
      unknownEnvironment,
    ],
  },
  {
    ...shared,
    path: `${ENVIRONMENT}/traces/:traceId/journey`,
    operationId: 'getTraceJourney',
    summary: 'What is known around a trace: its spans and the outcomes that were sent from it',
    description:
      'Each link has its evidence: `outcome provenance` is a sending of the outcome, by a backend’s key, that told this trace. Page views ' +
      'are not linked to traces yet. None of it claims who somebody is.',
    params: { traceId: TraceId },
    responses: {
      200: { description: 'The journey.', schema: v.object({ data: Journey, meta: TelemetryMeta }) },
    },
    examples: [
      { summary: 'Of a trace', status: 200, response: { data: journey, meta: sampleMeta } },
      nobodysTrace,
      unknownEnvironment,
    ],
  },
];

export const traceComponents = { TraceItem, Trace, Journey };
