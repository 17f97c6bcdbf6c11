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
import { RECEIVING, RECORDING } from './limits.ts';

const items = v.optional(v.array(v.looseObject({})));

const Partial = (rejected: string) =>
  v.object({
    partialSuccess: v.optional(
      v.object({ [rejected]: v.optional(v.string()), errorMessage: v.optional(v.string()) }),
    ),
  });

const BadRequest = v.pipe(
  v.object({
    '@type': v.literal('type.googleapis.com/google.rpc.BadRequest'),
    fieldViolations: v.array(v.object({ field: v.string(), description: v.string() })),
  }),
  v.description(
    'Where and why: `resourceSpans[0].scopeSpans[2].spans[7].kind`, `must be an integer of 32 bits`.',
  ),
);

const Status = v.pipe(
  v.object({
    code: v.pipe(v.number(), v.integer()),
    message: v.string(),
    details: v.optional(v.array(BadRequest)),
  }),
  v.description('A `google.rpc.Status`, in the encoding of the request.'),
);

const shared = { method: 'POST', auth: 'ingestKey', limit: RECEIVING } as const;

/** `rejected`: the field of a partial success with the number of refused items. */
const otlp = (signal: Signal, rejected: string, schema: v.GenericSchema) =>
  ({
    ...shared,
    path: `/v1/${signal}`,
    tag: 'OTLP receiver',
    description:
      'OTLP 1.x over HTTP, `application/json` or `application/x-protobuf`, with or without gzip; at most 4 MiB compressed and ' +
      '16 MiB uncompressed. 200 means that the items are stored. Items that are sent again are not stored twice. After 429 ' +
      'and 503, retry as `Retry-After` says. Items older than 30 days or more than a day in the future are refused, as a ' +
      'partial success.',
    body: { schema, contentTypes: ['application/json', 'application/x-protobuf'] },
    responses: {
      200: {
        description: 'Stored. `partialSuccess` tells which items were refused or changed.',
        schema: Partial(rejected),
      },
    },
    errorBody: Status,
    errors: [],
  }) as const;

/** Data that backends send: telemetry by OTLP, and outcomes. */
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
    limit: RECORDING,
    path: '/api/v1/telemetry/outcomes',
    tag: 'Outcomes',
    summary: `Confirm one business outcome, or up to ${MAX_OUTCOMES}`,
    description:
      'Needs an ingest key with `outcomes`, else 403. `source` and `domainEventId` together identify an outcome in its ' +
      'environment, as long as the environment exists. `type`, `occurredAt`, `value`, `attributes` and `siteId` are the ' +
      'business fact. An outcome sent again with the same fact is a `duplicate` (amounts compare as numbers, times as ' +
      'instants). With a different fact it is a conflict (409), and the recorded outcome stays. `traceId`, `spanId` and ' +
      '`sessionId` are provenance: a retry from another trace is the same outcome. Each sending is stored with its ' +
      'provenance, apart from the confirmation. In a batch each outcome has its own status, in the order sent; an invalid one ' +
      'doesn’t stop the others.',
    body: { schema: v.union([NewOutcome, RecordOutcomes]) },
    responses: {
      200: {
        description: 'For one outcome: it was already recorded. For a batch: the status of each outcome.',
        schema: v.object({ data: v.union([OutcomeReceipt, v.array(OutcomeResult)]) }),
      },
      201: { description: 'Recorded.', schema: v.object({ data: OutcomeReceipt }) },
    },
    errors: ['FORBIDDEN', 'CONFLICT'],
  },
} as const satisfies Contracts;

export const components = { NewOutcome, OutcomeReceipt, OutcomeResult };
