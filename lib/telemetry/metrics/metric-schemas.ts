import * as v from 'valibot';
import { Count, described, Instant } from '../../fields.ts';
import { Cursor, Limit } from '../../paging.ts';
import {
  AttributeKey,
  attributed,
  FilterText,
  hasFewAttributes,
  isOneRange,
  ranged,
} from '../question-schemas.ts';
import { TelemetryMeta } from '../schemas.ts';
import { AGGREGATIONS } from './aggregations.ts';
import { INTERVALS } from './metric-interval.ts';

const MetricTypeName = v.picklist(['gauge', 'sum', 'histogram', 'exponentialHistogram', 'summary']);
const Temporality = v.picklist(['unspecified', 'delta', 'cumulative']);

/** A metric that was observed, identified by name, type and unit. */
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
    v.array(
      v.object({
        time: Instant,
        value: v.nullable(v.number()),
        exact: v.optional(
          described(
            v.string(),
            'All digits of a `sum` that is an integer beyond 2^53; `value` is the nearest double. Absent: `value` is exact.',
          ),
        ),
      }),
    ),
    v.description(
      'Every interval of the range. Null: not observed in it, or not known; never 0 for want of points.',
    ),
  ),
});

/** The values of a metric over time. */
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

/** The receiver keeps at most this many characters of a name or a unit. */
const MAX_NAME_CHARS = 1024;
/** A cursor holds a name, a type and a unit. */
const MAX_CURSOR_CHARS = 6000;

export const ListMetrics = v.pipe(
  v.strictObject({
    ...ranged,
    service: v.optional(FilterText),
    q: v.optional(described(FilterText, 'A part of the name, upper case or lower.')),
    limit: Limit(),
    cursor: Cursor(MAX_CURSOR_CHARS),
  }),
  isOneRange(),
);
export type ListMetrics = v.InferOutput<typeof ListMetrics>;

const MAX_GROUP_KEYS = 3;
const GROUP_RULE = `must be at most ${MAX_GROUP_KEYS} different attribute keys`;

/** Which series of a metric are asked for. */
const ofMetric = {
  name: v.pipe(v.string(), v.minLength(1), v.maxLength(MAX_NAME_CHARS)),
  service: v.optional(FilterText),
  type: v.optional(
    described(
      MetricTypeName,
      'Of metrics that share a name. Default: the type and unit that most series have.',
    ),
  ),
  unit: v.optional(described(v.pipe(v.string(), v.maxLength(MAX_NAME_CHARS)), 'The same.')),
  ...attributed('points'),
};

export const ReadMetric = v.pipe(
  v.strictObject({
    ...ranged,
    aggregation: v.picklist(AGGREGATIONS),
    groupBy: v.optional(
      v.pipe(
        v.array(AttributeKey(GROUP_RULE)),
        v.description('Keys of attributes of points, else of resources; `service` is the service’s name.'),
        v.maxLength(MAX_GROUP_KEYS, GROUP_RULE),
        v.check((keys) => new Set(keys).size === keys.length, GROUP_RULE),
      ),
      [],
    ),
    interval: v.optional(
      described(
        v.picklist(INTERVALS),
        'At most 500 fit into a range. Default: the shortest that does; an hour in ranges of 6 hours or more where series times minutes are over 100,000.',
      ),
    ),
    ...ofMetric,
  }),
  isOneRange(),
  hasFewAttributes(),
);
export type ReadMetric = v.InferOutput<typeof ReadMetric>;

/** A measured value that was kept as an example of a metric's values. */
export const Exemplar = v.object({
  time: Instant,
  value: described(
    v.nullable(v.union([v.number(), v.string()])),
    'An integer beyond 2^53 is a string of its digits.',
  ),
  service: v.nullable(v.string()),
  attributes: described(v.record(v.string(), v.unknown()), 'Of the series.'),
  filteredAttributes: described(
    v.record(v.string(), v.unknown()),
    'Of the measurement, beyond those of the series.',
  ),
  traceId: described(v.nullable(v.string()), 'The trace in which it was measured.'),
  spanId: v.nullable(v.string()),
});
export type Exemplar = v.InferOutput<typeof Exemplar>;

export const ExemplarsMeta = v.object({
  ...TelemetryMeta.entries,
  examined: described(Count, 'How many points were looked at.'),
  searchedFrom: described(Instant, 'All points from here to the range’s end were looked at.'),
});
export type ExemplarsMeta = v.InferOutput<typeof ExemplarsMeta>;

export const ListExemplars = v.pipe(
  v.strictObject({ ...ranged, ...ofMetric, limit: Limit() }),
  isOneRange(),
  hasFewAttributes(),
);
export type ListExemplars = v.InferOutput<typeof ListExemplars>;
