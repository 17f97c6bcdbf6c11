import * as v from 'valibot';
import type { Contracts } from '../../lib/http/contract.ts';
import { CountLogs, LogVolume, LogVolumeMeta } from '../../lib/telemetry/log-schemas.ts';
import { Exemplar, ExemplarsMeta, ListExemplars } from '../../lib/telemetry/metrics/metric-schemas.ts';
import { TelemetryMeta } from '../../lib/telemetry/schemas.ts';
import { LatencyHistogram, ReadLatencies } from '../../lib/telemetry/span-schemas.ts';
import { ENVIRONMENT } from './control-contract.ts';
import { QUERIES } from './limits.ts';

const query = {
  tag: 'Telemetry',
  auth: 'member',
  limit: QUERIES,
  method: 'GET',
  errors: ['NOT_FOUND'],
} as const;

/** Questions whose answers are drawn. API tokens ask them too. */
export const chartRoutes = {
  readLatencies: {
    ...query,
    path: `${ENVIRONMENT}/latency-histogram`,
    summary: 'How long a service’s entries took, as a histogram',
    description:
      'Of all entries of the service, or of those of one operation. An entry is a span of kind server or consumer, or a span ' +
      'without a parent. The buckets are those from which all latencies here are computed: `traces` with ' +
      '`minDurationMs` and `maxDurationMs` finds the spans of one. The range is widened to whole minutes. `data` is null if no ' +
      'span of the service, or of the operation, was observed in the range. With `interval` the same buckets are counted over time: ' +
      '`intervals` has for each interval one number per bucket.',
    input: ReadLatencies,
    responses: {
      200: {
        description: 'The histogram.',
        schema: v.object({ data: v.nullable(LatencyHistogram), meta: TelemetryMeta }),
      },
    },
  },
  countLogs: {
    ...query,
    path: `${ENVIRONMENT}/log-volume`,
    summary: 'How many log records there are, by time and severity',
    description:
      'Counts the records that `logs` lists with the same filters. Counts are exact. At most 200,000 records are counted, the ' +
      'newest ones, and as many errors; with `text` or an attribute of the record it is 20,000 each. Intervals that weren’t counted ' +
      'as a whole are null, which isn’t 0: `meta.countedFrom` and `meta.severeCountedFrom` say how far back counting got.',
    input: CountLogs,
    responses: {
      200: {
        description: 'The counts.',
        schema: v.object({ data: LogVolume, meta: LogVolumeMeta }),
      },
    },
  },
  listExemplars: {
    ...query,
    path: `${ENVIRONMENT}/metric-exemplars`,
    summary: 'Measured values of a metric, with the traces in which they were measured',
    description:
      'The newest first. Senders add exemplars to some points. Of each series the newest points are looked at, about 20,000 of ' +
      'all series together, down to `meta.searchedFrom`. Besides the parameters below, `attr.<key>` matches an attribute of ' +
      'points and `resource.<key>` an attribute of their resource, together at most 8.',
    input: ListExemplars,
    responses: {
      200: {
        description: 'The exemplars.',
        schema: v.object({ data: v.array(Exemplar), meta: ExemplarsMeta }),
      },
    },
  },
} as const satisfies Contracts;

export const chartComponents = { LatencyHistogram, LogVolume, Exemplar };
