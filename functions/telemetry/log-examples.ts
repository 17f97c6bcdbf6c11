import { type Examples, SAMPLE, unknownEnvironment } from '../../lib/http/examples.ts';
import type { routes } from './contract.ts';
import { sampleMeta } from './telemetry-sample-meta.ts';

const record = {
  ...{ time: '2026-11-21T09:59:12.004Z', timeNano: '1795255152004000000' },
  ...{ observedTime: '2026-11-21T09:59:12.005Z', severityNumber: 17, severityText: 'ERROR' },
  ...{ service: 'shop', eventName: null, body: 'card declined', attributes: { 'order.id': 'o-3' } },
  ...{ droppedAttributes: 0, cutAttributes: 0, bodyCut: false },
  ...{ traceId: SAMPLE.traceId, spanId: 'eee19b7ec3c1b174' },
  scope: { name: 'pino', version: '', attributes: {} },
  resource: { attributes: { 'service.name': 'shop' }, schemaUrl: '' },
};

const none = { unspecified: 0, trace: 0, debug: 0, info: 0, warn: 0, error: 0, fatal: 0 };

export const logExamples = {
  countLogs: [
    {
      summary: 'Of the last hour',
      status: 200,
      query: { service: 'shop', interval: '15m' },
      response: {
        data: {
          intervalSeconds: 900,
          intervals: [
            { time: '2026-11-21T09:00:00.000Z', ...none, info: 412, error: 3 },
            { time: '2026-11-21T09:15:00.000Z', ...none, info: 397 },
            { time: '2026-11-21T09:30:00.000Z', ...none, info: 405, warn: 1 },
            { time: '2026-11-21T09:45:00.000Z', ...none, info: 420, fatal: 1 },
          ],
        },
        meta: {
          ...sampleMeta,
          scope: { ...sampleMeta.scope, filters: { service: 'shop' } },
          examined: 1639,
          ...{ countedFrom: sampleMeta.range.from, severeCountedFrom: sampleMeta.range.from },
        },
      },
    },
    {
      summary: 'Errors with a word, of a week',
      status: 200,
      query: { severity: 'error', text: 'declined', period: '7d' },
    },
    { summary: 'Too many intervals', status: 400, query: { period: '24h', interval: '1s' } },
    { summary: 'A text without a word', status: 400, query: { text: '--' } },
    unknownEnvironment,
  ],
  listLogs: [
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
} satisfies Partial<Examples<typeof routes>>;
