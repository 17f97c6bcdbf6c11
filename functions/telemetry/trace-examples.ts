import { type Examples, SAMPLE, unknownEnvironment } from '../../lib/http/examples.ts';
import type { routes } from './contract.ts';
import { sampleMeta } from './telemetry-sample-meta.ts';

const [traceId, spanId, rootId] = [SAMPLE.traceId, 'eee19b7ec3c1b174', '051581bf3cb55c13'];

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
  ...{
    traceState: '',
    flags: 257,
    droppedAttributes: 0,
    droppedEvents: 0,
    droppedLinks: 0,
    cutAttributes: 0,
  },
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
  ...{ traceId, start: trace.start, durationMs: trace.durationMs },
  association: {
    ...{ evidence: 'both sides', origin: 'https://api.example.com', status: 201 },
    ...{ toldAt: '2026-11-21T09:59:13.104Z', pageView: 1, spanId: rootId, span: 0 },
  },
  visit: {
    ...{ siteId: SAMPLE.siteId, domain: 'example.com' },
    ...{ startedAt: '2026-11-21T09:52:40.010Z', source: 'Google' },
  },
  pageViews: [
    { time: '2026-11-21T09:52:40.010Z', path: '/strings' },
    { time: '2026-11-21T09:58:02.771Z', path: '/checkout' },
  ],
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
  coverage: { pageViews: 'observed', spans: 'observed', outcomes: 'observed' },
};
const nobodysTrace = {
  summary: 'Nobody’s trace',
  status: 404,
  params: { traceId: '00000000000000000000000000000001' },
};

export const traceExamples = {
  listTraces: [
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
  getTrace: [
    { summary: 'A trace', status: 200, response: { data: trace, meta: sampleMeta } },
    nobodysTrace,
    unknownEnvironment,
  ],
  getTraceJourney: [
    { summary: 'Of a trace', status: 200, response: { data: journey, meta: sampleMeta } },
    nobodysTrace,
    unknownEnvironment,
  ],
} satisfies Partial<Examples<typeof routes>>;
