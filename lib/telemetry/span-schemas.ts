/** Summed spans: the performance of one service, and the calls between services. */
import * as v from 'valibot';
import { Count, described, Instant } from '../fields.ts';
import { Limit, paging } from '../paging.ts';
import { FilterText, isOneRange, ranged } from './question-schemas.ts';

const milliseconds = v.pipe(v.number(), v.minValue(0));

export const SPAN_INTERVALS = ['1m', '5m', '15m', '1h', '1d'] as const;
export type SpanInterval = (typeof SPAN_INTERVALS)[number];
const Interval = (more = '') =>
  v.optional(
    described(v.picklist(SPAN_INTERVALS), `Adds \`intervals\`: at most 500 fit into a range${more}.`),
  );
/** Maximum of intervals times buckets in an answer: up to 235 intervals have room for every bucket that there is. */
export const MAX_LATENCY_CELLS = 100_000;

const Observed = described(
  v.boolean(),
  'False: no span of any service began in the hours that it touches, so its zeros say nothing.',
);

/** The performance of entries. Every latency is null if there are no entries. */
const Performance = {
  /** Spans by which the service was entered: kind server or consumer, or without a parent. */
  entries: Count,
  ratePerSecond: v.pipe(v.number(), v.minValue(0)),
  /** Entries with status error. */
  errors: Count,
  /** Errors divided by entries, 0 to 1; null without entries. */
  errorRate: v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  meanMs: v.nullable(milliseconds),
  p50Ms: v.nullable(milliseconds),
  p95Ms: v.nullable(milliseconds),
  p99Ms: v.nullable(milliseconds),
  /** The slowest, within 4.5 %, as percentiles are. */
  maxMs: v.nullable(milliseconds),
};

export const ServiceSummary = v.object({
  service: v.string(),
  /** All spans of the service, of any kind. */
  spans: Count,
  lastSeenAt: Instant,
  ...Performance,
  /** Operations by the entry's name, as `sort` says, by default the most frequent first. */
  operations: v.array(v.object({ operation: v.string(), ...Performance })),
  /** The number of operations that are not listed. */
  moreOperations: Count,
  /** Present if `interval` is given: every interval of the range. An interval without observed entries has zero entries. */
  intervals: v.optional(v.array(v.object({ time: Instant, observed: Observed, ...Performance }))),
});
export type ServiceSummary = v.InferOutput<typeof ServiceSummary>;
export type Performance = Pick<ServiceSummary, keyof typeof Performance>;

export const ServiceMap = v.object({
  /** Services with spans in the range, and services that only call. */
  nodes: v.array(
    v.object({
      service: v.string(),
      /** The same as in the list of services; null for a service that is known only from calls. */
      entries: v.nullable(Count),
      errors: v.nullable(Count),
    }),
  ),
  edges: v.array(
    v.object({
      caller: v.string(),
      callee: v.string(),
      calls: Count,
      /** Calls whose entry has status error. */
      errors: Count,
      /** Durations of the entries in the called service. */
      meanMs: milliseconds,
      p95Ms: milliseconds,
    }),
  ),
});
export type ServiceMap = v.InferOutput<typeof ServiceMap>;

/** How long the entries of a service took, in buckets. */
export const LatencyHistogram = v.object({
  service: v.string(),
  operation: v.nullable(described(v.string(), 'Null: all of the service.')),
  entries: Count,
  errors: Count,
  p50Ms: v.nullable(milliseconds),
  p95Ms: v.nullable(milliseconds),
  p99Ms: v.nullable(milliseconds),
  buckets: described(
    v.array(
      v.object({
        fromMs: described(milliseconds, 'The shortest duration in it.'),
        toMs: described(milliseconds, 'Its durations are shorter than this, where the next bucket begins.'),
        entries: Count,
        errors: Count,
      }),
    ),
    'Every bucket from the fastest entry to the slowest: each is about 9 % wide, 8 to a doubling of the duration.',
  ),
  intervals: v.optional(
    described(
      v.array(
        v.object({
          time: Instant,
          observed: Observed,
          entries: described(
            v.array(Count),
            'As many numbers as `buckets`: the k-th one is of the k-th bucket.',
          ),
          errors: described(v.array(Count), 'The same of entries with status error.'),
        }),
      ),
      'Present if `interval` is given: every interval of the range. Of each bucket their sum is its number in `buckets`.',
    ),
  ),
});
export type LatencyHistogram = v.InferOutput<typeof LatencyHistogram>;

export const ReadLatencies = v.pipe(
  v.strictObject({
    ...ranged,
    service: FilterText,
    operation: v.optional(described(FilterText, 'The name of entries, as `service-summary` lists it.')),
    interval: Interval(', and at most 100,000 intervals times buckets into an answer'),
  }),
  isOneRange(),
);
export type ReadLatencies = v.InferOutput<typeof ReadLatencies>;

export const ListServices = v.pipe(v.strictObject({ ...ranged, ...paging }), isOneRange());
export type ListServices = v.InferOutput<typeof ListServices>;

export const OPERATION_SORTS = [
  'entries',
  'errors',
  'errorRate',
  'meanMs',
  'p50Ms',
  'p95Ms',
  'p99Ms',
] as const;
export type OperationSort = (typeof OPERATION_SORTS)[number];

export const SummarizeService = v.pipe(
  v.strictObject({
    ...ranged,
    service: FilterText,
    interval: Interval(),
    /** Maximum number of operations. */
    limit: Limit(),
    sort: v.optional(
      described(
        v.picklist(OPERATION_SORTS),
        'By what operations are sorted, the largest first. Default: the most frequent first.',
      ),
      'entries',
    ),
  }),
  isOneRange(),
);
export type SummarizeService = v.InferOutput<typeof SummarizeService>;

export const MapServices = v.pipe(v.strictObject(ranged), isOneRange());
export type MapServices = v.InferOutput<typeof MapServices>;
