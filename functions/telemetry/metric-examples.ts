import { type Examples, unknownEnvironment } from '../../lib/http/examples.ts';
import type { routes } from './contract.ts';
import { sampleMeta } from './telemetry-sample-meta.ts';

const metric = {
  ...{ name: 'http.server.request.duration', type: 'histogram', unit: 's', monotonic: false },
  ...{ description: 'Duration of HTTP server requests.', temporalities: ['cumulative'], services: ['shop'] },
  ...{ serviceCount: 1, seriesCount: 12, lastSeenAt: '2026-11-21T09:59:00.000Z' },
  attributeKeys: ['http.request.method', 'http.response.status_code', 'http.route'],
  aggregations: ['sum', 'avg', 'rate', 'p50', 'p95', 'p99'],
};

const overTime = {
  ...{ name: metric.name, type: 'histogram', temporalities: ['cumulative'], unit: 's', aggregation: 'p95' },
  ...{ intervalSeconds: 900, groupBy: ['service'], groupsLeftOut: 0 },
  groups: [
    {
      attributes: { service: 'shop' },
      values: [
        { time: '2026-11-21T09:00:00.000Z', value: 0.214 },
        { time: '2026-11-21T09:15:00.000Z', value: null },
        { time: '2026-11-21T09:30:00.000Z', value: 0.187 },
        { time: '2026-11-21T09:45:00.000Z', value: 0.231 },
      ],
    },
  ],
};

export const metricExamples = {
  listMetrics: [
    {
      summary: 'Of a service',
      status: 200,
      query: { service: 'shop' },
      response: {
        data: [metric],
        meta: {
          ...sampleMeta,
          scope: { ...sampleMeta.scope, filters: { service: 'shop' } },
          nextCursor: null,
        },
      },
    },
    { summary: 'A part of the name', status: 200, query: { q: 'http.', period: '7d', limit: '100' } },
    { summary: 'Too many at once', status: 400, query: { limit: '101' } },
    { summary: 'Not a cursor', status: 400, query: { cursor: '1' } },
    unknownEnvironment,
  ],
  listExemplars: [
    {
      summary: 'Of a service',
      status: 200,
      query: { name: metric.name, service: 'shop' },
      response: {
        data: [
          {
            ...{ time: '2026-11-21T09:58:12.004Z', value: 0.812, service: 'shop' },
            ...{ attributes: { 'http.route': '/cart' }, filteredAttributes: {} },
            ...{ traceId: '5b8efff798038103d269b633813fc60c', spanId: 'eee19b7ec3c1b174' },
          },
        ],
        meta: {
          ...sampleMeta,
          scope: { ...sampleMeta.scope, filters: { name: metric.name, service: 'shop' } },
          ...{ examined: 60, searchedFrom: sampleMeta.range.from },
        },
      },
    },
    { summary: 'Without a name', status: 400 },
    { ...unknownEnvironment, query: { name: metric.name } },
  ],
  readMetric: [
    {
      summary: 'How slow the slowest 5 % of requests are',
      status: 200,
      query: { name: metric.name, aggregation: 'p95', groupBy: 'service', interval: '15m' },
      response: {
        data: overTime,
        meta: {
          ...sampleMeta,
          scope: { ...sampleMeta.scope, filters: { name: metric.name } },
          approximate: 'Percentiles are interpolated in the bucket of the histogram that they lie in.',
        },
      },
    },
    {
      summary: 'Requests per second by route, of one status',
      status: 200,
      query: {
        ...{ name: metric.name, aggregation: 'rate', groupBy: 'http.route,service', period: '7d' },
        ...{ 'attr.http.response.status_code': '500', 'resource.service.version': '2.1.0', unit: 's' },
      },
    },
    { summary: 'No aggregation', status: 400, query: { name: metric.name } },
    {
      summary: 'Too many intervals',
      status: 400,
      query: { name: metric.name, aggregation: 'avg', interval: '1m', period: '7d' },
    },
    {
      summary: 'Too many keys',
      status: 400,
      query: { name: metric.name, aggregation: 'avg', groupBy: 'a,b,c,d' },
    },
    { ...unknownEnvironment, query: { name: metric.name, aggregation: 'avg' } },
  ],
} satisfies Partial<Examples<typeof routes>>;
