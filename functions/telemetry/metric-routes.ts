import { readQuery } from '../../lib/http/read.ts';
import { listMetrics } from '../../lib/telemetry/metrics/list-metrics.ts';
import { readMetric } from '../../lib/telemetry/metrics/read-metric.ts';
import type { Guards, TelemetryApp } from './guards.ts';
import { CatalogQuery, readMetricQuestion } from './metric-query.ts';
import { ENVIRONMENT, placeOf } from './place.ts';
import { rangeOf } from './query.ts';
import { contextOf } from './resources.ts';

/** What metrics tell: which there are, and one of them over time. */
export function addMetricRoutes(app: TelemetryApp, { gate, limit }: Guards) {
  return app
    .get(`${ENVIRONMENT}/metric-catalog`, gate, limit, async (c) => {
      const place = placeOf(c);
      const query = readQuery(c, CatalogQuery);
      const { items, meta, nextCursor } = await listMetrics(contextOf(c), place, {
        range: rangeOf(query, '24h'),
        service: query.service,
        text: query.q,
        limit: Number(query.limit),
        cursor: query.cursor,
      });
      return c.json({ data: items, meta: { ...meta, nextCursor } });
    })
    .get(`${ENVIRONMENT}/metrics`, gate, limit, async (c) => {
      const place = placeOf(c);
      const { data, meta } = await readMetric(contextOf(c), place, readMetricQuestion(c));
      return c.json({ data, meta });
    });
}
