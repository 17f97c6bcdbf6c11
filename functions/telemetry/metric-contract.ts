import * as v from 'valibot';
import { type RouteContract, unknownEnvironment } from '../../lib/http/contract.ts';
import { CatalogMetric, MetricSeries } from '../../lib/telemetry/metrics/schemas.ts';
import { TelemetryMeta } from '../../lib/telemetry/schemas.ts';
import { CatalogQuery, MetricQuery } from './metric-query.ts';
import { ENVIRONMENT } from './place.ts';
import { PagedMeta, sampleMeta, shared } from './query-contract.ts';

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

/** What the OpenAPI document says of metrics. */
export const metricRoutes: RouteContract[] = [
  {
    ...shared,
    path: `${ENVIRONMENT}/metric-catalog`,
    operationId: 'listMetrics',
    summary: 'The metrics that were observed, by name',
    description:
      'A metric is what has the same name, type and unit; without a range those with a point in the last 24 hours. `aggregations` are those that ' +
      '`metrics` answers of it.',
    query: CatalogQuery,
    responses: {
      200: {
        description: 'The metrics.',
        schema: v.object({ data: v.array(CatalogMetric), meta: PagedMeta }),
      },
    },
    examples: [
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
  },
  {
    ...shared,
    path: `${ENVIRONMENT}/metrics`,
    operationId: 'readMetric',
    summary: 'A metric over time, in groups',
    description:
      'Of gauges, and of sums that may fall: `avg`, `min`, `max` of the points, and `sum`, the series’ last values in the interval added up. ' +
      'Of other sums: `sum`, by how much they rose, and `rate`, that per second. Of histograms and summaries: `sum` and `avg` of what was observed, ' +
      '`rate`, observations per second, and percentiles; `min` and `max` of delta histograms. What doesn’t suit is refused, and the error says what does. ' +
      'A value that falls, or a new start, is a reset, from which it counts from 0; what rose between two points counts where the later one lies. ' +
      'The first interval begins at or before the range; the last ends with it. Besides the parameters below, `attr.<key>` is the value of an attribute ' +
      'of points and `resource.<key>` of who sent them, together at most 8. At most 50 groups are shown, and 10,000 series read; `meta.notes` says what was left out.',
    query: MetricQuery,
    responses: {
      200: { description: 'The metric.', schema: v.object({ data: MetricSeries, meta: TelemetryMeta }) },
    },
    examples: [
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
  },
];

export const metricComponents = { CatalogMetric, MetricSeries };
