import * as v from 'valibot';
import type { Contracts } from '../../lib/http/contract.ts';
import type { Signal } from '../../lib/otlp/index.ts';
import {
  MAX_OUTCOMES,
  NewOutcome,
  OutcomeReceipt,
  OutcomeResult,
  RecordOutcomes,
} from '../../lib/outcomes/schemas.ts';
import { RECEIVING } from './limits.ts';

const items = v.optional(v.array(v.looseObject({})));

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

const shared = { method: 'POST', auth: 'ingestKey', limit: RECEIVING } as const;

/** `rejected`: the field of a partial success that says how many items were refused. */
const otlp = (signal: Signal, rejected: string, schema: v.GenericSchema) =>
  ({
    ...shared,
    path: `/v1/${signal}`,
    tag: 'OTLP receiver',
    description:
      'OTLP 1.x over HTTP, `application/json` or `application/x-protobuf`, with gzip or without; at most 4 MiB on the wire and 16 MiB ' +
      'inflated. What is answered 200 is stored; sent again, nothing is stored twice. 429 and 503 may be tried again as `Retry-After` says. ' +
      'Items over 30 days old or over a day ahead are refused, as partial success.',
    body: { schema, contentTypes: ['application/json', 'application/x-protobuf'] },
    responses: {
      200: {
        description: 'Stored. `partialSuccess` says what was not, or not as it came.',
        schema: Partial(rejected),
      },
    },
    errorBody: Status,
    errors: [],
  }) as const;

/** What backends send: telemetry by OTLP, and outcomes. */
export const routes = {
  exportTraces: {
    ...otlp('traces', 'rejectedSpans', v.object({ resourceSpans: items })),
    summary: 'Send spans by OTLP',
  },
  exportLogs: {
    ...otlp('logs', 'rejectedLogRecords', v.object({ resourceLogs: items })),
    summary: 'Send log records by OTLP',
  },
  exportMetrics: {
    ...otlp('metrics', 'rejectedDataPoints', v.object({ resourceMetrics: items })),
    summary: 'Send data points by OTLP',
  },
  recordOutcomes: {
    ...shared,
    path: '/api/v1/telemetry/outcomes',
    tag: 'Outcomes',
    summary: `Confirm one business outcome, or up to ${MAX_OUTCOMES}`,
    description:
      'Needs an ingest key with `outcomes`, else 403. `source` and `domainEventId` together are an outcome’s identity in its environment, for as long ' +
      'as that exists. `type`, `occurredAt`, `value`, `attributes` and `siteId` are business: sent again with the same ones it is a `duplicate` (amounts ' +
      'compare as numbers, times as instants), with others a conflict (409), and what was recorded stays as it is. `traceId`, `spanId` and ' +
      '`sessionId` are provenance: a retry from another trace is the same event. Each sending is kept with its provenance, apart from the confirmation. ' +
      'Of a batch each outcome has a status of its own, in the order sent; an invalid one doesn’t keep the others back.',
    body: { schema: v.union([NewOutcome, RecordOutcomes]) },
    responses: {
      200: {
        description: 'Of one: it was recorded before. Of a batch: what became of each.',
        schema: v.object({ data: v.union([OutcomeReceipt, v.array(OutcomeResult)]) }),
      },
      201: { description: 'Recorded.', schema: v.object({ data: OutcomeReceipt }) },
    },
    errors: ['FORBIDDEN', 'CONFLICT'],
  },
} as const satisfies Contracts;

export const components = { NewOutcome, OutcomeReceipt, OutcomeResult };
