import * as v from 'valibot';
import { Count, Instant } from '../../fields.ts';
import { AGGREGATIONS } from './aggregations.ts';

const MetricTypeName = v.picklist(['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary']);
const Temporality = v.picklist(['unspecified', 'delta', 'cumulative']);

/** A metric that was observed: what has the same name, type and unit. */
export const CatalogMetric = v.object({
  name: v.string(),
  type: MetricTypeName,
  unit: v.pipe(
    v.string(),
    v.description('As the sender says it, in UCUM: `ms`, `By`, `{request}`; may be empty.'),
  ),
  description: v.string(),
  temporalities: v.pipe(
    v.array(Temporality),
    v.description('What its series are: `cumulative`, `delta`; `unspecified` of gauges and summaries.'),
  ),
  monotonic: v.pipe(v.boolean(), v.description('A sum that only rises.')),
  services: v.pipe(v.array(v.string()), v.description('At most 20.')),
  serviceCount: Count,
  seriesCount: v.pipe(
    Count,
    v.description('Distinct combinations of resource, scope and attributes that came since the range began.'),
  ),
  attributeKeys: v.pipe(
    v.array(v.string()),
    v.description(
      'Of its points, at most 50 from 200 of its series. `groupBy` takes those of resources too.',
    ),
  ),
  aggregations: v.pipe(v.array(v.picklist(AGGREGATIONS)), v.description('Which suit its type.')),
  lastSeenAt: v.pipe(Instant, v.description('The minute of its last point.')),
});
export type CatalogMetric = v.InferOutput<typeof CatalogMetric>;

const MetricGroup = v.object({
  attributes: v.pipe(
    v.record(v.string(), v.nullable(v.string())),
    v.description('By the keys of `groupBy`; null: has none.'),
  ),
  values: v.pipe(
    v.array(v.object({ time: Instant, value: v.nullable(v.number()) })),
    v.description(
      'Every interval of the range. Null: not observed in it, or not known; never 0 for want of points.',
    ),
  ),
});

/** A metric over time. */
export const MetricSeries = v.object({
  name: v.string(),
  type: v.nullable(MetricTypeName),
  temporalities: v.array(Temporality),
  unit: v.pipe(v.string(), v.description('Of the values: of rates per second.')),
  aggregation: v.picklist(AGGREGATIONS),
  intervalSeconds: Count,
  groupBy: v.array(v.string()),
  groups: v.pipe(v.array(MetricGroup), v.description('Largest first.')),
  groupsLeftOut: v.pipe(Count, v.description('Smaller groups than the 50 that are shown.')),
});
export type MetricSeries = v.InferOutput<typeof MetricSeries>;
