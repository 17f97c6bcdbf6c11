/** What spans tell, summed: of one service, and of who calls whom. */
import * as v from 'valibot';
import { Count, Instant, told } from '../fields.ts';
import { Limit, paging } from '../paging.ts';
import { FilterText, isOneRange, ranged } from './question-schemas.ts';

const milliseconds = v.pipe(v.number(), v.minValue(0));

const INTERVALS = ['1m', '5m', '15m', '1h', '1d'] as const;
export type SpanInterval = (typeof INTERVALS)[number];

/** How entries went. Of no entries at all every latency is null. */
const Performance = {
  /** Spans by which the service was entered: of kind server or consumer, or without a parent. */
  entries: Count,
  ratePerSecond: v.pipe(v.number(), v.minValue(0)),
  /** Entries with status error. */
  errors: Count,
  /** Errors by entries, 0 to 1; null without entries. */
  errorRate: v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
  meanMs: v.nullable(milliseconds),
  p50Ms: v.nullable(milliseconds),
  p95Ms: v.nullable(milliseconds),
  p99Ms: v.nullable(milliseconds),
};

export const ServiceSummary = v.object({
  service: v.string(),
  /** All its spans, whatever their kind. */
  spans: Count,
  lastSeenAt: Instant,
  ...Performance,
  /** By the name of the entry, the most frequent first. */
  operations: v.array(v.object({ operation: v.string(), ...Performance })),
  /** How many more operations there are. */
  moreOperations: Count,
  /** With `interval`: each interval of the range; one without entries was without any that were observed. */
  intervals: v.optional(v.array(v.object({ time: Instant, ...Performance }))),
});
export type ServiceSummary = v.InferOutput<typeof ServiceSummary>;
export type Performance = Pick<ServiceSummary, keyof typeof Performance>;

export const ServiceMap = v.object({
  /** Services with spans in the range, and those that only call. */
  nodes: v.array(
    v.object({
      service: v.string(),
      /** As in the list of services; null for one that is known by its calls alone. */
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
      /** Of the entries in the service that was called. */
      meanMs: milliseconds,
      p95Ms: milliseconds,
    }),
  ),
});
export type ServiceMap = v.InferOutput<typeof ServiceMap>;

export const ListServices = v.pipe(v.strictObject({ ...ranged, ...paging }), isOneRange());
export type ListServices = v.InferOutput<typeof ListServices>;

export const SummarizeService = v.pipe(
  v.strictObject({
    ...ranged,
    service: FilterText,
    interval: v.optional(told(v.picklist(INTERVALS), 'Adds `intervals`: at most 500 fit into a range.')),
    /** Of operations. */
    limit: Limit(),
  }),
  isOneRange(),
);
export type SummarizeService = v.InferOutput<typeof SummarizeService>;

export const MapServices = v.pipe(v.strictObject(ranged), isOneRange());
export type MapServices = v.InferOutput<typeof MapServices>;
