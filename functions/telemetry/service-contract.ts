import * as v from 'valibot';
import { type RouteContract, unknownEnvironment } from '../../lib/http/contract.ts';
import { LATENCIES_APPROXIMATE } from '../../lib/telemetry/latency.ts';
import { Service, TelemetryMeta } from '../../lib/telemetry/schemas.ts';
import { ServiceMap, ServiceSummary } from '../../lib/telemetry/span-schemas.ts';
import { ENVIRONMENT } from './place.ts';
import { RangeOnly } from './query.ts';
import { PagedMeta, sampleMeta, shared } from './query-contract.ts';
import { ServicesQuery, SummaryQuery } from './trace-query.ts';

const performance = {
  entries: 1800,
  ratePerSecond: 0.5,
  errors: 9,
  errorRate: 0.005,
  meanMs: 41.275,
  p50Ms: 36.41,
  p95Ms: 103.125,
  p99Ms: 187.003,
};
const badRanges = [
  { summary: 'A period that isn’t one', status: 400, query: { period: '2h' } },
  { summary: 'Half a range', status: 400, query: { from: '2026-11-21T09:00:00Z' } },
] as const;

const summaryExamples: RouteContract['examples'] = [
  {
    summary: 'Of the last hour',
    status: 200,
    query: { service: 'shop' },
    response: {
      data: {
        ...{ service: 'shop', spans: 7211, lastSeenAt: '2026-11-21T09:59:57.120Z', ...performance },
        operations: [{ operation: 'GET /cart', ...performance }],
        moreOperations: 0,
      },
      meta: { ...sampleMeta, approximate: LATENCIES_APPROXIMATE },
    },
  },
  {
    summary: 'For a chart of the last day',
    status: 200,
    query: { service: 'shop', period: '24h', interval: '15m', limit: '5' },
  },
  {
    summary: 'A service that sent nothing: not observed',
    status: 200,
    query: { service: 'nobody' },
    response: { data: null, meta: { ...sampleMeta, approximate: LATENCIES_APPROXIMATE } },
  },
  { summary: 'Without a service', status: 400 },
  { summary: 'Too many intervals', status: 400, query: { service: 'shop', period: '7d', interval: '1m' } },
];

/** What the OpenAPI document says of services. */
export const serviceRoutes: RouteContract[] = [
  {
    ...shared,
    path: `${ENVIRONMENT}/services`,
    operationId: 'listServices',
    summary: 'The services that sent spans, by name',
    description:
      'A service that sent nothing in the range is not in the list: it was not observed. The range is widened to whole minutes.',
    query: ServicesQuery,
    responses: {
      200: { description: 'The services.', schema: v.object({ data: v.array(Service), meta: PagedMeta }) },
    },
    examples: [
      {
        summary: 'Of the last hour',
        status: 200,
        response: {
          data: [
            { name: 'shop', spans: 7211, entries: 1800, errors: 9, lastSeenAt: '2026-11-21T09:59:57.120Z' },
          ],
          meta: { ...sampleMeta, nextCursor: null },
        },
      },
      { summary: 'Of the last day', status: 200, query: { period: '24h', limit: '100' } },
      ...badRanges,
      { summary: 'Not a cursor', status: 400, query: { cursor: '.' } },
      unknownEnvironment,
    ],
  },
  {
    ...shared,
    path: `${ENVIRONMENT}/service-summary`,
    operationId: 'summarizeService',
    summary: 'How often a service was entered, how it went and how long it took',
    description:
      'In all and by operation (`limit` of them, the most frequent first). An entry is a span of kind server or consumer, or one without a ' +
      'parent. Rates are by second, over the range up to now; latencies are milliseconds. The range is widened to whole minutes. ' +
      '`data` is null for a service of which no span was observed in the range. Of a service and hour 500 operations are told apart; ' +
      'the others are summed under `(other operations)`.',
    query: SummaryQuery,
    responses: {
      200: {
        description: 'The summary.',
        schema: v.object({ data: v.nullable(ServiceSummary), meta: TelemetryMeta }),
      },
    },
    examples: [...summaryExamples, { ...unknownEnvironment, query: { service: 'shop' } }],
  },
  {
    ...shared,
    path: `${ENVIRONMENT}/service-map`,
    operationId: 'mapServices',
    summary: 'Which services call which',
    description:
      'A call is an entry of kind server or consumer whose parent is a span of another service. `meta.notes` says what is not counted. ' +
      'The range is widened to whole minutes.',
    query: RangeOnly,
    responses: {
      200: {
        description: 'Services, and the calls between them, most frequent first.',
        schema: v.object({ data: ServiceMap, meta: TelemetryMeta }),
      },
    },
    examples: [
      {
        summary: 'Of the last hour',
        status: 200,
        response: {
          data: {
            nodes: [
              { service: 'shop', entries: 1800, errors: 9 },
              { service: 'web', entries: 2100, errors: 9 },
            ],
            edges: [
              { caller: 'web', callee: 'shop', calls: 1800, errors: 9, meanMs: 41.275, p95Ms: 103.125 },
            ],
          },
          meta: { ...sampleMeta, approximate: LATENCIES_APPROXIMATE },
        },
      },
      { summary: 'Of a week', status: 200, query: { period: '7d' } },
      ...badRanges,
      unknownEnvironment,
    ],
  },
];

export const serviceComponents = { Service, ServiceSummary, ServiceMap, TelemetryMeta };
