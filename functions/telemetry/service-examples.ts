import { type Examples, type RouteExample, unknownEnvironment } from '../../lib/http/examples.ts';
import { LATENCIES_APPROXIMATE } from '../../lib/telemetry/latency.ts';
import type { routes } from './contract.ts';
import { sampleMeta } from './telemetry-sample-meta.ts';

const performance = {
  entries: 1800,
  ratePerSecond: 0.5,
  errors: 9,
  errorRate: 0.005,
  meanMs: 41.275,
  p50Ms: 36.41,
  p95Ms: 103.125,
  p99Ms: 187.003,
  maxMs: 412.031,
};
const badRanges = [
  { summary: 'A period that isn’t one', status: 400, query: { period: '2h' } },
  { summary: 'Half a range', status: 400, query: { from: '2026-11-21T09:00:00Z' } },
] as const;

const summaryExamples: readonly RouteExample[] = [
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

export const serviceExamples = {
  listServices: [
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
  summarizeService: [...summaryExamples, { ...unknownEnvironment, query: { service: 'shop' } }],
  readLatencies: [
    {
      summary: 'Of an operation',
      status: 200,
      query: { service: 'shop', operation: 'GET /cart' },
      response: {
        data: {
          ...{ service: 'shop', operation: 'GET /cart', entries: 8, errors: 1 },
          ...{ p50Ms: 3.656, p95Ms: 4.348, p99Ms: 4.348 },
          buckets: [
            { fromMs: 3.502154, toMs: 3.819115, entries: 5, errors: 0 },
            { fromMs: 3.819115, toMs: 4.164763, entries: 0, errors: 0 },
            { fromMs: 4.164763, toMs: 4.541694, entries: 3, errors: 1 },
          ],
        },
        meta: {
          ...sampleMeta,
          scope: { ...sampleMeta.scope, filters: { service: 'shop', operation: 'GET /cart' } },
          approximate: LATENCIES_APPROXIMATE,
        },
      },
    },
    { summary: 'Of all of a service, of a week', status: 200, query: { service: 'shop', period: '7d' } },
    {
      summary: 'Over time',
      status: 200,
      query: {
        service: 'shop',
        interval: '15m',
        ...{ from: '2026-11-21T09:00:00Z', to: '2026-11-21T09:45:00Z' },
      },
      response: {
        data: {
          ...{ service: 'shop', operation: null, entries: 8, errors: 1 },
          ...{ p50Ms: 3.656, p95Ms: 4.348, p99Ms: 4.348 },
          buckets: [
            { fromMs: 3.502154, toMs: 3.819115, entries: 5, errors: 0 },
            { fromMs: 3.819115, toMs: 4.164763, entries: 0, errors: 0 },
            { fromMs: 4.164763, toMs: 4.541694, entries: 3, errors: 1 },
          ],
          intervals: [
            { time: '2026-11-21T09:00:00.000Z', observed: true, entries: [4, 0, 0], errors: [0, 0, 0] },
            { time: '2026-11-21T09:15:00.000Z', observed: true, entries: [0, 0, 0], errors: [0, 0, 0] },
            { time: '2026-11-21T09:30:00.000Z', observed: true, entries: [1, 0, 3], errors: [0, 0, 1] },
          ],
        },
        meta: {
          ...sampleMeta,
          scope: { ...sampleMeta.scope, filters: { service: 'shop', interval: '15m' } },
          range: { ...sampleMeta.range, from: '2026-11-21T09:00:00.000Z', to: '2026-11-21T09:45:00.000Z' },
          approximate: LATENCIES_APPROXIMATE,
        },
      },
    },
    { summary: 'A service that sent nothing: not observed', status: 200, query: { service: 'nobody' } },
    { summary: 'Without a service', status: 400 },
    { summary: 'Too many intervals', status: 400, query: { service: 'shop', period: '7d', interval: '1m' } },
    { ...unknownEnvironment, query: { service: 'shop' } },
  ],
  mapServices: [
    {
      summary: 'Of the last hour',
      status: 200,
      response: {
        data: {
          nodes: [
            { service: 'shop', entries: 1800, errors: 9 },
            { service: 'web', entries: 2100, errors: 9 },
          ],
          edges: [{ caller: 'web', callee: 'shop', calls: 1800, errors: 9, meanMs: 41.275, p95Ms: 103.125 }],
        },
        meta: { ...sampleMeta, approximate: LATENCIES_APPROXIMATE },
      },
    },
    { summary: 'Of a week', status: 200, query: { period: '7d' } },
    ...badRanges,
    unknownEnvironment,
  ],
} satisfies Partial<Examples<typeof routes>>;
