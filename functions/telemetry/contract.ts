import * as v from 'valibot';
import type { Contracts } from '../../lib/http/contract.ts';
import { ListOutcomes, OutcomeItem, Outcomes, OutcomeType } from '../../lib/outcomes/schemas.ts';
import { Journey } from '../../lib/telemetry/journey-schemas.ts';
import { FindLogs, LogRecord, LogsMeta } from '../../lib/telemetry/log-schemas.ts';
import {
  CatalogMetric,
  ListMetrics,
  MetricSeries,
  ReadMetric,
} from '../../lib/telemetry/metrics/metric-schemas.ts';
import { PagedMeta, Service, TelemetryMeta } from '../../lib/telemetry/schemas.ts';
import {
  ListServices,
  MapServices,
  ServiceMap,
  ServiceSummary,
  SummarizeService,
} from '../../lib/telemetry/span-schemas.ts';
import { FindTraces, OneTrace, Trace, TraceItem, TracesMeta } from '../../lib/telemetry/trace-schemas.ts';
import { chartComponents, chartRoutes } from './chart-contract.ts';
import { controlComponents, controlRoutes, ENVIRONMENT } from './control-contract.ts';
import { alertComponents, alertRoutes } from './environment-alert-contract.ts';
import { errorComponents, errorControlRoutes, errorRoutes } from './error-contract.ts';

const query = {
  tag: 'Telemetry',
  auth: 'session',
  limit: null,
  method: 'GET',
  errors: ['NOT_FOUND'],
} as const;

/** A list of pages: a cursor of another request is refused. */
const list = { ...query, errors: ['NOT_FOUND', 'CONFLICT'] } as const;

/** Queries and settings of backend telemetry that people ask who are signed in. */
export const sessionRoutes = {
  ...controlRoutes,
  ...errorControlRoutes,
  ...alertRoutes,
  listServices: {
    ...list,
    path: `${ENVIRONMENT}/services`,
    summary: 'The services that sent spans, by name',
    description:
      'The list has only services that were observed in the range. The range is widened to whole minutes.',
    input: ListServices,
    responses: {
      200: { description: 'The services.', schema: v.object({ data: v.array(Service), meta: PagedMeta }) },
    },
  },
  summarizeService: {
    ...query,
    path: `${ENVIRONMENT}/service-summary`,
    summary: 'Rate, errors and duration of a service’s entries',
    description:
      'In total and by operation (the `limit` most frequent ones). An entry is a span of kind server or consumer, or a span ' +
      'without a parent. Rates are per second, over the range up to now; latencies are in milliseconds. The range is widened ' +
      'to whole minutes. `data` is null if no span of the service was observed in the range. Each service has at most 500 ' +
      'separate operations per hour; the others are summed under `(other operations)`.',
    input: SummarizeService,
    responses: {
      200: {
        description: 'The summary.',
        schema: v.object({ data: v.nullable(ServiceSummary), meta: TelemetryMeta }),
      },
    },
  },
  mapServices: {
    ...query,
    path: `${ENVIRONMENT}/service-map`,
    summary: 'Which services call which',
    description:
      'A call is an entry of kind server or consumer whose parent is a span of another service. `meta.notes` lists what is ' +
      'not counted. The range is widened to whole minutes.',
    input: MapServices,
    responses: {
      200: {
        description: 'Services and the calls between them, most frequent first.',
        schema: v.object({ data: ServiceMap, meta: TelemetryMeta }),
      },
    },
  },
  listTraces: {
    ...list,
    path: `${ENVIRONMENT}/traces`,
    summary: 'Traces with a span that matches all conditions, newest first',
    description:
      'Each trace appears once, sorted by its newest matching span. Besides the parameters below, `attr.<key>` matches an ' +
      'attribute of the span and `resource.<key>` an attribute of its resource, together at most 8. ' +
      '`attr.http.response.status_code=500` matches the number, the text, and a list with either. A page examines at most ' +
      '20,000 spans, so it may have fewer traces than `limit`, or none, before the end: only `nextCursor: null` is the end. ' +
      '`meta.examined` is the number of examined spans.',
    input: FindTraces,
    responses: {
      200: {
        description: 'The traces.',
        schema: v.object({ data: v.array(TraceItem), meta: TracesMeta }),
      },
    },
  },
  getTrace: {
    ...query,
    path: `${ENVIRONMENT}/traces/:traceId`,
    summary: 'A trace: its spans as a tree, with the critical path, and its logs',
    description:
      'Each span precedes its children. `missing` spans were not received; only their children name them. If the clocks of ' +
      'two services disagree, a span is moved into its parent: `clockSkewMs` is the shift, `startNano` the start by the ' +
      'span’s own clock. `criticalMs` of all spans adds up to the duration of the longest root. At most 10,000 spans and 500 ' +
      'logs.',
    input: OneTrace,
    responses: {
      200: { description: 'The trace.', schema: v.object({ data: Trace, meta: TelemetryMeta }) },
    },
  },
  getTraceJourney: {
    ...query,
    path: `${ENVIRONMENT}/traces/:traceId/journey`,
    input: OneTrace,
    summary:
      'The data around a trace: its spans, the outcomes that were sent from it, and the visit that led to it',
    description:
      'Each link has its evidence. `outcome provenance`: a backend’s key sent the outcome with this trace. `both sides`: a page reported ' +
      'the trace, and the backend’s span says that this page asked. `response context`: the page read the trace’s id from the answer. ' +
      '`traceparent sent`: the page’s request carried it. `not confirmed`: the page reported it, and no span is there. Page views are of ' +
      'sites that the environment’s origins are tied to and that you may read. No link identifies a person.',
    responses: {
      200: { description: 'The journey.', schema: v.object({ data: Journey, meta: TelemetryMeta }) },
    },
  },
  listOutcomes: {
    ...list,
    path: `${ENVIRONMENT}/outcomes`,
    summary: 'Confirmed outcomes that occurred in the range',
    description:
      'Counts and exact sums per currency by type, and single outcomes, newest first. Each outcome has its trace, if a ' +
      'sending named one, and its number of sendings. Both are provenance, which never changes the confirmed fact.',
    input: ListOutcomes,
    responses: {
      200: { description: 'The outcomes.', schema: v.object({ data: Outcomes, meta: PagedMeta }) },
    },
  },
  listLogs: {
    ...list,
    path: `${ENVIRONMENT}/logs`,
    summary: 'Log records, newest first',
    description:
      '`text` finds whole words in the body, in upper or lower case; if the body isn’t text, in its keys and values. `card ' +
      'declined` finds both words, `"card declined"` one after the other, `card or cash` either, `card -declined` only the ' +
      'first without the second; `declin*` finds `declined`, `declin` doesn’t. Besides the parameters below, `attr.<key>` matches an ' +
      'attribute of the record and `resource.<key>` an attribute of its resource, together at most 8. A page examines about ' +
      '20,000 records, so it may have fewer than `limit`, or none, before the end: only `nextCursor: null` is the end. ' +
      '`meta.examined` is the number of examined records, down to `meta.searchedFrom`.',
    input: FindLogs,
    responses: {
      200: {
        description: 'The records.',
        schema: v.object({ data: v.array(LogRecord), meta: LogsMeta }),
      },
    },
  },
  listMetrics: {
    ...list,
    path: `${ENVIRONMENT}/metric-catalog`,
    summary: 'The observed metrics, by name',
    description:
      'Data points with the same name, type and unit are one metric. Without a range, the list has metrics with a point in ' +
      'the last 24 hours. `aggregations` lists the aggregations that `metrics` accepts for it.',
    input: ListMetrics,
    responses: {
      200: {
        description: 'The metrics.',
        schema: v.object({ data: v.array(CatalogMetric), meta: PagedMeta }),
      },
    },
  },
  readMetric: {
    ...query,
    path: `${ENVIRONMENT}/metrics`,
    summary: 'A metric over time, in groups',
    description:
      'Gauges, and sums that may fall: `avg`, `min` and `max` of the points, and `sum`, the total of the series’ last values ' +
      'in the interval. Other sums: `sum`, their increase, and `rate`, the increase per second. Histograms and summaries: ' +
      '`sum` and `avg` of the observed values, `rate` (observations per second), and percentiles; delta histograms also `min` ' +
      'and `max`. Other aggregations are refused, and the error lists the allowed ones. A falling value or a new start is a ' +
      'reset: counting starts again from 0. An increase between two points counts at the later point. The first interval ' +
      'begins at or before the range; the last one ends with it. Besides the parameters below, `attr.<key>` matches an ' +
      'attribute of points and `resource.<key>` an attribute of their resource, together at most 8. At most 50 groups are ' +
      'shown and 10,000 series read; `meta.notes` says what was left out.',
    input: ReadMetric,
    responses: {
      200: { description: 'The metric.', schema: v.object({ data: MetricSeries, meta: TelemetryMeta }) },
    },
  },
} as const satisfies Contracts;

export const routes = { ...sessionRoutes, ...chartRoutes, ...errorRoutes } as const satisfies Contracts;

export const components = {
  ...controlComponents,
  ...alertComponents,
  ...chartComponents,
  ...errorComponents,
  ...{ Service, ServiceSummary, ServiceMap, TelemetryMeta },
  ...{ TraceItem, Trace, Journey, OutcomeItem, OutcomeType, LogRecord, CatalogMetric, MetricSeries },
};
