import * as v from 'valibot';
import { Instant } from '../../lib/fields.ts';
import { type RouteContract, SAMPLE, unknownEnvironment } from '../../lib/http/contract.ts';
import { LogRecord } from '../../lib/telemetry/log-schemas.ts';
import { LogsQuery } from './log-query.ts';
import { ENVIRONMENT } from './place.ts';
import { PagedMeta, sampleMeta, shared } from './query-contract.ts';

const record = {
  ...{ time: '2026-11-21T09:59:12.004Z', timeNano: '1795255152004000000' },
  ...{ observedTime: '2026-11-21T09:59:12.005Z', severityNumber: 17, severityText: 'ERROR' },
  ...{ service: 'shop', eventName: null, body: 'card declined', attributes: { 'order.id': 'o-3' } },
  ...{ traceId: SAMPLE.traceId, spanId: 'eee19b7ec3c1b174' },
  scope: { name: 'pino', version: '', attributes: {} },
  resource: { attributes: { 'service.name': 'shop' }, schemaUrl: '' },
};

/** What the OpenAPI document says of log records. */
export const logRoutes: RouteContract[] = [
  {
    ...shared,
    path: `${ENVIRONMENT}/logs`,
    operationId: 'listLogs',
    summary: 'Log records, newest first',
    description:
      '`text` looks for whole words of the body, upper case or lower, of a body that is no text in its keys and values: `card declined` has both, ' +
      '`"card declined"` one after the other, `card or cash` one, `card -declined` the first alone; `declin` isn’t found in `declined`. ' +
      'Besides the parameters below, `attr.<key>` is the value of an attribute of the record and `resource.<key>` of who sent it, together at most 8. ' +
      'A page examines about 20,000 records, so that it may have fewer than `limit`, or none, and go on: only `nextCursor: null` is the end. ' +
      '`meta.examined` is how many it were, down to `meta.searchedFrom`.',
    query: LogsQuery,
    responses: {
      200: {
        description: 'The records.',
        schema: v.object({
          data: v.array(LogRecord),
          meta: v.object({
            ...PagedMeta.entries,
            examined: v.pipe(v.number(), v.integer()),
            searchedFrom: Instant,
          }),
        }),
      },
    },
    examples: [
      {
        summary: 'The newest errors with a word',
        status: 200,
        query: { severity: 'error', text: 'declined', limit: '50' },
        response: {
          data: [record],
          meta: {
            ...sampleMeta,
            scope: { ...sampleMeta.scope, filters: { severity: 17, text: 'declined' } },
            ...{ examined: 1, searchedFrom: sampleMeta.range.from, nextCursor: null },
          },
        },
      },
      {
        summary: 'Of a service, with an attribute',
        status: 200,
        query: { service: 'shop', 'attr.order.id': 'o-3', 'resource.service.name': 'shop', period: '7d' },
      },
      { summary: 'Of a trace', status: 200, query: { traceId: record.traceId } },
      { summary: 'A severity that isn’t one', status: 400, query: { severity: '25' } },
      { summary: 'A text without a word', status: 400, query: { text: '--' } },
      { summary: 'Not a cursor', status: 400, query: { cursor: '1' } },
      unknownEnvironment,
    ],
  },
];

export const logComponents = { LogRecord };
