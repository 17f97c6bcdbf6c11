import type { Dropped } from './drop-reason.ts';

/**
 * The rows of a decoded request, the same from protobuf and from JSON. They are passed as one JSON parameter to one SQL statement
 * (`jsonb_to_recordset`). Texts contain neither U+0000 nor lone surrogates, which PostgreSQL's jsonb refuses.
 *
 * - A time is a string of decimal nanoseconds since 1970, at most 2^63 - 1 (a `bigint`); `'0'` is an unknown one.
 * - A trace id is 32 and a span id 16 lower-case hex digits.
 * - An integer that a JavaScript number can't hold exactly is a decimal string; the non-finite numbers are `'NaN'`,
 *   `'Infinity'` and `'-Infinity'`, as PostgreSQL's `double precision` reads them.
 */
export type Json = string | number | boolean | null | Json[] | { [key: string]: Json };

/** By key. Bytes are base64; an empty value is null. If a key was sent twice, the last value counts. */
export type Attributes = Record<string, Json>;

/** A number in the form described above. */
export type Numeric = number | 'NaN' | 'Infinity' | '-Infinity';

/** The sender. Equal resources of a request are one row. */
export interface ResourceRow {
  attributes: Attributes;
  schemaUrl: string;
  /** Number of attributes that are missing: those that the sender left out, and those beyond our limit. */
  droppedAttributes: number;
}

/** The library that made the telemetry. Equal scopes of a request are one row. */
export interface ScopeRow {
  name: string;
  version: string;
  attributes: Attributes;
  schemaUrl: string;
  droppedAttributes: number;
}

/** The names of the lists in a signal's request, as JSON and errors have them. */
export interface RequestNames {
  resources: string;
  scopes: string;
  items: string;
}

export const REQUEST_NAMES = {
  traces: { resources: 'resourceSpans', scopes: 'scopeSpans', items: 'spans' },
  logs: { resources: 'resourceLogs', scopes: 'scopeLogs', items: 'logRecords' },
  metrics: { resources: 'resourceMetrics', scopes: 'scopeMetrics', items: 'metrics' },
} as const satisfies Record<string, RequestNames>;

/** The origin of a row: indexes into the request's `resources` and `scopes`. */
interface Origin {
  resource: number;
  scope: number;
}

export interface SpanRow extends Origin {
  traceId: string;
  spanId: string;
  parentSpanId: string | null;
  traceState: string;
  /** The lowest 8 bits are the W3C trace flags. 0x100: known whether the parent is remote; 0x200: it is remote. */
  flags: number;
  name: string;
  /** 0 unspecified, 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number;
  startNano: string;
  /** 0 if the end is missing or before the start. */
  durationNano: number;
  /** 0 unset, 1 ok, 2 error. */
  statusCode: number;
  statusMessage: string;
  attributes: Attributes;
  events: SpanEvent[];
  links: SpanLink[];
  /** How many are missing: those that the sender left out, and those beyond our limits. This holds for every `dropped*`. */
  droppedAttributes: number;
  droppedEvents: number;
  droppedLinks: number;
  /** Attributes of the span, its events and its links that were cut to 4 KiB. */
  cutAttributes: number;
}

export interface SpanEvent {
  name: string;
  timeNano: string;
  attributes: Attributes;
  droppedAttributes: number;
}

export interface SpanLink {
  traceId: string;
  spanId: string;
  traceState: string;
  flags: number;
  attributes: Attributes;
  droppedAttributes: number;
}

export interface LogRow extends Origin {
  /** When the event happened; if that is unknown, when it was observed. */
  timeNano: string;
  observedNano: string;
  /** 1 (trace) to 24 (fatal); 0 is unspecified. */
  severityNumber: number;
  severityText: string;
  eventName: string;
  body: Json;
  attributes: Attributes;
  droppedAttributes: number;
  /** Attributes that were cut to 4 KiB, and whether the body was cut to 64 KiB. */
  cutAttributes: number;
  bodyCut: boolean;
  /** Null unless the id is valid; the same holds for `spanId`. */
  traceId: string | null;
  spanId: string | null;
  flags: number;
}

export type MetricType = 'gauge' | 'sum' | 'histogram' | 'exponentialHistogram' | 'summary';

/** The fields that the points of a metric share. A series is a metric's row with one set of point attributes. */
export interface MetricRow extends Origin {
  name: string;
  description: string;
  unit: string;
  type: MetricType;
  /** 0 unspecified (always, for gauges and summaries), 1 delta, 2 cumulative. */
  temporality: number;
  monotonic: boolean;
}

export interface PointRow {
  /** Index into the request's `metrics`. */
  metric: number;
  attributes: Attributes;
  startNano: string;
  timeNano: string;
  /** Bit 0: nothing was recorded, the series ends here. */
  flags: number;
  /** For gauges and sums; null where nothing was recorded. */
  value: Numeric | string | null;
  /** This and the next four fields are for the other types. Counts are at most 2^53 - 1. */
  count: number | null;
  sum: Numeric | null;
  min: Numeric | null;
  max: Numeric | null;
  distribution: Distribution | null;
  exemplars: Exemplar[];
}

/** `bounds` rise, and `counts` has one more entry; or both are empty. Bucket i is (bounds[i-1], bounds[i]]. */
export interface ExplicitBuckets {
  bounds: number[];
  counts: number[];
}

/** Base 2^(2^-scale); `counts[i]` of a side belongs to the bucket (base^(offset+i), base^(offset+i+1)]. */
export interface ExponentialBuckets {
  scale: number;
  zeroCount: number;
  zeroThreshold: Numeric;
  positive: BucketRun;
  negative: BucketRun;
}

export interface BucketRun {
  offset: number;
  counts: number[];
}

export interface Quantiles {
  quantiles: { quantile: Numeric; value: Numeric }[];
}

export type Distribution = ExplicitBuckets | ExponentialBuckets | Quantiles;

export interface Exemplar {
  timeNano: string;
  value: Numeric | string | null;
  attributes: Attributes;
  traceId: string | null;
  spanId: string | null;
}

/** The answer to a request that was partly refused or cut. `rejected` 0 makes it a warning. */
export interface PartialSuccess {
  rejected: number;
  message: string;
  /** `rejected` by reason; absent if it is 0. */
  dropped?: Dropped;
}

/** Resources and scopes without a kept row are left out. `partial` is undefined if everything was accepted unchanged. */
interface Batch {
  resources: ResourceRow[];
  scopes: ScopeRow[];
  partial: PartialSuccess | undefined;
}

export interface TraceBatch extends Batch {
  spans: SpanRow[];
}

export interface LogBatch extends Batch {
  logs: LogRow[];
}

export interface MetricBatch extends Batch {
  metrics: MetricRow[];
  points: PointRow[];
}
