/** Metrics in OTLP's JSON, and the answers about them. */
import { expect } from 'vitest';
import type { Sql } from '../../../lib/db.ts';
import type { MetricSeries } from '../../../lib/telemetry/metrics/metric-schemas.ts';
import { sumMetrics } from '../../../lib/telemetry/metrics/sum-metrics.ts';
import { attributesOf, nano, type TestEnvironment } from './test-environment.ts';

export const MINUTE_MS = 60_000;

export interface Answer {
  data: MetricSeries;
  meta: {
    range: { from: string; to: string };
    coverage: { observed: boolean };
    notes?: string[];
    approximate?: string;
    scope: { filters: Record<string, unknown> };
  };
}

/** The start of the minute that was `ago` minutes ago. All points of this minute are in one bucket. */
export const minute = (ago: number): number =>
  Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS - ago * MINUTE_MS;

export const send = (
  environment: TestEnvironment,
  service: string,
  metrics: object[],
  resource: Record<string, string> = {},
) =>
  environment.post('/v1/metrics', {
    resourceMetrics: [
      {
        resource: { attributes: attributesOf({ 'service.name': service, ...resource }) },
        scopeMetrics: [{ scope: { name: 'test' }, metrics }],
      },
    ],
  });

export const point = (
  ms: number,
  value: object,
  attributes: Record<string, string | number> = {},
  startMs?: number,
) => ({
  timeUnixNano: nano(ms),
  ...(startMs !== undefined && { startTimeUnixNano: nano(startMs) }),
  attributes: attributesOf(attributes),
  ...value,
});

export const DELTA = 1;
export const CUMULATIVE = 2;
export const counter = (name: string, dataPoints: object[], aggregationTemporality = CUMULATIVE) => ({
  ...{ name, unit: 'By', description: `What ${name} counts.` },
  sum: { aggregationTemporality, isMonotonic: true, dataPoints },
});
export const gauge = (name: string, dataPoints: object[]) => ({ name, unit: 'Cel', gauge: { dataPoints } });
export const histogram = (name: string, dataPoints: object[], aggregationTemporality = DELTA) => ({
  ...{ name, unit: 'ms' },
  histogram: { aggregationTemporality, dataPoints },
});

/** The values of each group that aren't null, with their minutes after `since`. Keys are the joined attributes of the group. */
export const known = ({ data }: Answer, since: number): Record<string, [number, number][]> =>
  Object.fromEntries(
    data.groups.map(({ attributes, values }) => [
      Object.values(attributes).join('/'),
      values.flatMap(({ time, value }): [number, number][] =>
        value === null ? [] : [[(Date.parse(time) - since) / MINUTE_MS, value]],
      ),
    ]),
  );

/** Runs `check` before and after the cron has summed everything. */
export async function twice(
  sql: Sql,
  environment: TestEnvironment,
  check: () => Promise<void>,
): Promise<void> {
  await check();
  await sumMetrics({ sql, now: () => Date.now() + 3 * 60 * MINUTE_MS });
  const [left] = await sql`
    select count(*)::integer as minutes from metric_touched
    where environment_key = (select key from environments where id = ${environment.environmentId})`;
  expect(left?.minutes).toBe(0);
  await check();
}
