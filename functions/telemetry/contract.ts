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
import { controlComponents, controlRoutes, ENVIRONMENT } from './control-contract.ts';

const query = {
  tag: 'Telemetry',
  auth: 'session',
  limit: null,
  method: 'GET',
  errors: ['NOT_FOUND'],
} as const;

/** Queries and control of backend telemetry. */
export const routes = {
  ...controlRoutes,
  listServices: {
    ...query,
    path: `${ENVIRONMENT}/services`,
    summary: 'The services that sent spans, by name',
    description:
      'A service that sent nothing in the range is not in the list: it was not observed. The range is widened to whole minutes.',
    input: ListServices,
    responses: {
      200: { description: 'The services.', schema: v.object({ data: v.array(Service), meta: PagedMeta }) },
    },
  },
  summarizeService: {
    ...query,
    path: `${ENVIRONMENT}/service-summary`,
    summary: 'How often a service was entered, how it went and how long it took',
    description:
      'In all and by operation (`limit` of them, the most frequent first). An entry is a span of kind server or consumer, or one without a ' +
      'parent. Rates are by second, over the range up to now; latencies are milliseconds. The range is widened to whole minutes. ' +
      '`data` is null for a service of which no span was observed in the range. Of a service and hour 500 operations are told apart; ' +
      'the others are summed under `(other operations)`.',
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
      'A call is an entry of kind server or consumer whose parent is a span of another service. `meta.notes` says what is not counted. ' +
      'The range is widened to whole minutes.',
    input: MapServices,
    responses: {
      200: {
        description: 'Services, and the calls between them, most frequent first.',
        schema: v.object({ data: ServiceMap, meta: TelemetryMeta }),
      },
    },
  },
  listTraces: {
    ...query,
    path: `${ENVIRONMENT}/traces`,
    summary: 'Traces with a span that is all that is asked for, newest first',
    description:
      'In the order of the newest such span, each once. Besides the parameters below, `attr.<key>` is the value of an attribute of the span and ' +
      '`resource.<key>` of who sent it, together at most 8: `attr.http.response.status_code=500` finds the number and the text, and a list with ' +
      'one of them in it. A page examines at most 20,000 spans, so that it may have fewer traces than `limit`, or none, and go on: ' +
      'only `nextCursor: null` is the end. `meta.examined` is how many it were.',
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
      'Each span stands before its children. `missing` ones were not received, and are known by their children. Where the clocks of two ' +
      'services don’t agree, a span is shown within its parent: `clockSkewMs` says by how much it was moved, `startNano` when it began by its ' +
      'own clock. `criticalMs` of all spans add up to the duration of the root that lasts longest. At most 10,000 spans and 500 logs.',
    input: OneTrace,
    responses: {
      200: { description: 'The trace.', schema: v.object({ data: Trace, meta: TelemetryMeta }) },
    },
  },
  getTraceJourney: {
    ...query,
    path: `${ENVIRONMENT}/traces/:traceId/journey`,
    input: OneTrace,
    summary: 'What is known around a trace: its spans and the outcomes that were sent from it',
    description:
      'Each link has its evidence: `outcome provenance` is a sending of the outcome, by a backend’s key, that told this trace. Page views ' +
      'are not linked to traces yet. None of it claims who somebody is.',
    responses: {
      200: { description: 'The journey.', schema: v.object({ data: Journey, meta: TelemetryMeta }) },
    },
  },
  listOutcomes: {
    ...query,
    path: `${ENVIRONMENT}/outcomes`,
    summary: 'Confirmed outcomes that occurred in the range',
    description:
      'By type with counts and exact sums by currency, and one by one, newest first. Each with its trace where a sending told one, and ' +
      'how often it was sent: provenance, which never changes what was confirmed.',
    input: ListOutcomes,
    responses: {
      200: { description: 'The outcomes.', schema: v.object({ data: Outcomes, meta: PagedMeta }) },
    },
  },
  listLogs: {
    ...query,
    path: `${ENVIRONMENT}/logs`,
    summary: 'Log records, newest first',
    description:
      '`text` looks for whole words of the body, upper case or lower, of a body that is no text in its keys and values: `card declined` has both, ' +
      '`"card declined"` one after the other, `card or cash` one, `card -declined` the first alone; `declin` isn’t found in `declined`. ' +
      'Besides the parameters below, `attr.<key>` is the value of an attribute of the record and `resource.<key>` of who sent it, together at most 8. ' +
      'A page examines about 20,000 records, so that it may have fewer than `limit`, or none, and go on: only `nextCursor: null` is the end. ' +
      '`meta.examined` is how many it were, down to `meta.searchedFrom`.',
    input: FindLogs,
    responses: {
      200: {
        description: 'The records.',
        schema: v.object({ data: v.array(LogRecord), meta: LogsMeta }),
      },
    },
  },
  listMetrics: {
    ...query,
    path: `${ENVIRONMENT}/metric-catalog`,
    summary: 'The metrics that were observed, by name',
    description:
      'A metric is what has the same name, type and unit; without a range those with a point in the last 24 hours. `aggregations` are those that ' +
      '`metrics` answers of it.',
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
      'Of gauges, and of sums that may fall: `avg`, `min`, `max` of the points, and `sum`, the series’ last values in the interval added up. ' +
      'Of other sums: `sum`, by how much they rose, and `rate`, that per second. Of histograms and summaries: `sum` and `avg` of what was observed, ' +
      '`rate`, observations per second, and percentiles; `min` and `max` of delta histograms. What doesn’t suit is refused, and the error says what does. ' +
      'A value that falls, or a new start, is a reset, from which it counts from 0; what rose between two points counts where the later one lies. ' +
      'The first interval begins at or before the range; the last ends with it. Besides the parameters below, `attr.<key>` is the value of an attribute ' +
      'of points and `resource.<key>` of who sent them, together at most 8. At most 50 groups are shown, and 10,000 series read; `meta.notes` says what was left out.',
    input: ReadMetric,
    responses: {
      200: { description: 'The metric.', schema: v.object({ data: MetricSeries, meta: TelemetryMeta }) },
    },
  },
} as const satisfies Contracts;

export const components = {
  ...controlComponents,
  ...{ Service, ServiceSummary, ServiceMap, TelemetryMeta },
  ...{ TraceItem, Trace, Journey, OutcomeItem, OutcomeType, LogRecord, CatalogMetric, MetricSeries },
};
