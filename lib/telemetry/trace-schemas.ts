/** Schemas of traces: as items of a list, and one whole trace. */
import * as v from 'valibot';
import { Count, described, Instant } from '../fields.ts';
import { paging } from '../paging.ts';
import { OneEnvironment } from '../projects/schemas.ts';
import { attributed, FilterText, hasFewAttributes, isOneRange, ranged } from './question-schemas.ts';
import { PagedMeta } from './schemas.ts';

const milliseconds = v.pipe(v.number(), v.minValue(0));
export const traceId = v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/));
/** A trace id as people may type it, in any case. */
export const TraceId = v.pipe(
  v.string(),
  v.regex(/^[0-9A-Fa-f]{32}$/, 'must be 32 hexadecimal digits'),
  v.description('A trace’s id.'),
  v.toLowerCase(),
);
export const spanId = v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/));

export const STATUSES = ['unset', 'ok', 'error'] as const;
export type SpanStatus = (typeof STATUSES)[number];
export const KINDS = ['unspecified', 'internal', 'server', 'client', 'producer', 'consumer'] as const;
export type SpanKind = (typeof KINDS)[number];

export const Status = v.picklist(STATUSES);
export const Kind = v.picklist(KINDS);

export const TraceItem = v.object({
  traceId,
  /** The following figures count spans that began on the day of the matching span, the day before or the day after. */
  start: Instant,
  durationMs: milliseconds,
  spans: Count,
  /** Spans with status error. */
  errors: Count,
  services: v.array(v.string()),
  /** True if the trace has over 1,000 spans; then start, duration and counts cover 1,000 of them. */
  truncated: v.boolean(),
  /** The span without a parent; if it wasn't observed, the first span. */
  root: v.object({ observed: v.boolean(), service: v.string(), operation: v.string() }),
  /** The newest span that matches all filters. The list is ordered by this span. */
  match: v.object({
    spanId,
    service: v.string(),
    operation: v.string(),
    kind: Kind,
    status: Status,
    statusMessage: v.nullable(v.string()),
    start: Instant,
    durationMs: milliseconds,
  }),
});
export type TraceItem = v.InferOutput<typeof TraceItem>;

const Attributes = v.pipe(
  v.record(v.string(), v.unknown()),
  v.description('By key. An integer beyond 2^53 is a string of its digits.'),
);
const nano = v.pipe(
  v.string(),
  v.regex(/^\d{1,19}$/),
  v.description('Nanoseconds since 1970, or of a duration, as sent.'),
);

export const inTree = {
  spanId,
  /** Index of the parent in `spans`; null for a root. */
  parent: v.nullable(Count),
  /** 0 for a root. */
  depth: Count,
  /** Time since the trace's start, with corrected clocks. */
  offsetMs: milliseconds,
  durationMs: milliseconds,
  /** How much of the trace's duration this span accounts for; null if it isn't on the critical path. */
  criticalMs: v.nullable(milliseconds),
};

/** A span that was received. */
const TraceSpan = v.object({
  ...inTree,
  missing: v.literal(false),
  /** The parent's id as it was sent, even if that span isn't there. */
  parentSpanId: v.nullable(spanId),
  startNano: nano,
  durationNano: nano,
  /** How far the span is moved from its own clock, since its clock and its parent's clock differ. */
  clockSkewMs: v.number(),
  /** `cycle`: its parent is also below it. `duplicate`: another span has the same id. */
  irregularity: v.nullable(v.picklist(['cycle', 'duplicate'])),
  name: v.string(),
  kind: Kind,
  status: Status,
  statusMessage: v.nullable(v.string()),
  service: v.string(),
  /** Indexes into `resources` and `scopes`. */
  resource: Count,
  scope: Count,
  attributes: Attributes,
  events: v.array(
    v.object({ name: v.string(), timeNano: nano, attributes: Attributes, droppedAttributes: Count }),
  ),
  links: v.array(
    v.object({
      traceId: v.string(),
      spanId: v.string(),
      traceState: v.string(),
      flags: Count,
      attributes: Attributes,
      droppedAttributes: Count,
    }),
  ),
  traceState: v.string(),
  flags: Count,
  /** How many are missing: those that the sender left out, and those beyond the limits of a request. */
  droppedAttributes: Count,
  droppedEvents: Count,
  droppedLinks: Count,
  /** Attributes of the span, its events and its links that were cut to 4 KiB. */
  cutAttributes: Count,
});

/**
 * A span that was not received, or that a truncated trace leaves out. It is known from children that name it as parent and has their
 * times.
 */
const MissingSpan = v.object({ ...inTree, missing: v.literal(true) });

/** What a stored log record lacks of what its sender had. */
export const lossOfLog = {
  droppedAttributes: described(
    Count,
    'Attributes that are missing: left out by the sender, or beyond the limit.',
  ),
  cutAttributes: described(Count, 'Attributes that were cut to 4 KiB.'),
  bodyCut: described(v.boolean(), 'Whether the body was cut to 64 KiB.'),
};

const TraceLog = v.object({
  timeNano: nano,
  spanId: v.nullable(spanId),
  service: v.string(),
  /** 1 (trace) to 24 (fatal); 0 is unspecified. */
  severity: Count,
  severityText: v.nullable(v.string()),
  eventName: v.nullable(v.string()),
  body: v.unknown(),
  attributes: Attributes,
  ...lossOfLog,
  /** Indexes into `resources` and `scopes`. */
  resource: Count,
  scope: Count,
});

export const Trace = v.object({
  traceId,
  /** Null if only logs of the trace were received. */
  start: v.nullable(Instant),
  durationMs: v.nullable(milliseconds),
  /** Number of listed spans that were received. */
  spanCount: Count,
  errorCount: Count,
  services: v.array(v.string()),
  /** True if the trace has more spans than an answer holds: 10,000, or 8 MB of content. The spans that began first are listed. */
  truncated: v.boolean(),
  /** Each span before its children; siblings ordered by start. */
  spans: v.array(v.variant('missing', [TraceSpan, MissingSpan])),
  resources: v.array(
    v.object({
      service: v.string(),
      attributes: Attributes,
      schemaUrl: v.string(),
      droppedAttributes: Count,
    }),
  ),
  scopes: v.array(
    v.object({
      name: v.string(),
      version: v.string(),
      attributes: Attributes,
      schemaUrl: v.string(),
      droppedAttributes: Count,
    }),
  ),
  /** The first 500, ordered by time. */
  logs: v.array(TraceLog),
  logsTruncated: v.boolean(),
});
export type Trace = v.InferOutput<typeof Trace>;

/** One day. */
const MAX_DURATION_MS = 86_400_000;
const DURATION_RULE = 'must be a number of milliseconds';
const Duration = v.pipe(v.number(DURATION_RULE), v.minValue(0, DURATION_RULE), v.maxValue(MAX_DURATION_MS));

export const TRACE_SORTS = ['newest', 'duration', 'errors'] as const;

/** A span matches if it satisfies all of these conditions. */
export const FindTraces = v.pipe(
  v.strictObject({
    ...ranged,
    ...paging,
    service: v.optional(FilterText),
    operation: v.optional(described(FilterText, 'A span’s name.')),
    status: v.optional(Status),
    minDurationMs: v.optional(Duration),
    maxDurationMs: v.optional(Duration),
    q: v.optional(
      described(
        FilterText,
        'In the span’s name, its status message or a value of its attributes; upper case or lower.',
      ),
    ),
    sort: v.optional(
      described(
        v.picklist(TRACE_SORTS),
        '`newest` (default), `duration`: by the longest span that matches, or `errors`: by how many of the spans that match have status error. ' +
          'The last two compare the newest 50,000 spans of the range.',
      ),
    ),
    ...attributed('span'),
  }),
  isOneRange(),
  hasFewAttributes(),
);
export type FindTraces = v.InferOutput<typeof FindTraces>;

export const TracesMeta = v.object({
  ...PagedMeta.entries,
  examined: described(Count, 'How many spans this page looked at.'),
  comparedSince: v.optional(
    described(
      Instant,
      'With `sort`: the range has more spans than are compared, and earlier ones than this aren’t in the list.',
    ),
  ),
});
export type TracesMeta = v.InferOutput<typeof TracesMeta>;

/** The input of verbs that need only a trace. */
export const OneTrace = v.strictObject({ ...OneEnvironment.entries, traceId: TraceId });
export type OneTrace = v.InferOutput<typeof OneTrace>;
