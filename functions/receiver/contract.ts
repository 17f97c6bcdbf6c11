import * as v from 'valibot';
import type { RouteContract, RouteExample } from '../../lib/http/contract.ts';
import type { Signal } from '../../lib/otlp/index.ts';
import { outcomeComponents, outcomeRoutes } from './outcome-contract.ts';

/** Attributes of a documented request. */
const RESOURCE = { attributes: [{ key: 'service.name', value: { stringValue: 'shop' } }] };
const SCOPE = { name: 'shop' };
const IDS = { traceId: '5b8efff798038103d269b633813fc60c', spanId: 'eee19b7ec3c1b174' };

interface Documented {
  signal: Signal;
  summary: string;
  rejected: string;
  fields: v.GenericSchema;
  example: RouteExample;
}

const items = v.array(v.looseObject({}));
const documented: readonly Documented[] = [
  {
    signal: 'traces',
    summary: 'Send spans by OTLP',
    rejected: 'rejectedSpans',
    fields: v.object({ resourceSpans: v.optional(items) }),
    example: {
      summary: 'A span without a time: refused',
      status: 200,
      body: {
        resourceSpans: [
          {
            resource: RESOURCE,
            scopeSpans: [{ scope: SCOPE, spans: [{ ...IDS, name: 'GET /cart', kind: 2 }] }],
          },
        ],
      },
    },
  },
  {
    signal: 'logs',
    summary: 'Send log records by OTLP',
    rejected: 'rejectedLogRecords',
    fields: v.object({ resourceLogs: v.optional(items) }),
    example: {
      summary: 'A log record, at the time it is received',
      status: 200,
      body: {
        resourceLogs: [
          {
            resource: RESOURCE,
            scopeLogs: [
              {
                scope: SCOPE,
                logRecords: [{ ...IDS, severityNumber: 17, body: { stringValue: 'card declined' } }],
              },
            ],
          },
        ],
      },
    },
  },
  {
    signal: 'metrics',
    summary: 'Send data points by OTLP',
    rejected: 'rejectedDataPoints',
    fields: v.object({ resourceMetrics: v.optional(items) }),
    example: {
      summary: 'A point without a time: refused',
      status: 200,
      body: {
        resourceMetrics: [
          {
            resource: RESOURCE,
            scopeMetrics: [
              { scope: SCOPE, metrics: [{ name: 'carts', gauge: { dataPoints: [{ asInt: '3' }] } }] },
            ],
          },
        ],
      },
    },
  },
];

const Partial = (rejected: string) =>
  v.object({
    partialSuccess: v.optional(
      v.object({ [rejected]: v.optional(v.string()), errorMessage: v.optional(v.string()) }),
    ),
  });

const Status = v.pipe(
  v.object({ code: v.pipe(v.number(), v.integer()), message: v.string() }),
  v.description('A `google.rpc.Status`, in the encoding of the request.'),
);

const WRONG: RouteExample[] = [
  {
    summary: 'What is no such request',
    status: 400,
    body: { resourceSpans: 1, resourceLogs: 1, resourceMetrics: 1 },
  },
  { summary: 'Without a key', status: 401, headers: { Authorization: '' }, body: {} },
  { summary: 'Another type', status: 415, headers: { 'Content-Type': 'text/plain' }, body: {} },
  { summary: 'Another compression', status: 415, headers: { 'Content-Encoding': 'br' }, body: {} },
];

/** What the OpenAPI document says of the receiver. */
const otlpRoutes = documented.map(
  ({ signal, summary, rejected, fields, example }): RouteContract => ({
    method: 'POST',
    path: `/v1/${signal}`,
    operationId: `export${signal.charAt(0).toUpperCase()}${signal.slice(1)}`,
    tag: 'OTLP receiver',
    auth: 'ingestKey',
    limited: true,
    summary,
    description:
      'OTLP 1.x over HTTP, `application/json` or `application/x-protobuf`, with gzip or without; at most 4 MiB on the wire and 16 MiB ' +
      'inflated. What is answered 200 is stored; sent again, nothing is stored twice. 429 and 503 may be tried again as `Retry-After` says. ' +
      'Items over 30 days old or over a day ahead are refused, as partial success.',
    body: { schema: fields, contentTypes: ['application/json', 'application/x-protobuf'] },
    responses: {
      200: {
        description: 'Stored. `partialSuccess` says what was not, or not as it came.',
        schema: Partial(rejected),
      },
    },
    errorBody: Status,
    errors: [],
    examples: [{ summary: 'Nothing', status: 200, body: {}, response: {} }, example, ...WRONG],
  }),
);

export const routes: RouteContract[] = [...otlpRoutes, ...outcomeRoutes];

export const components = { ...outcomeComponents };
