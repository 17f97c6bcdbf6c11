import * as v from 'valibot';
import { Count, described, Instant } from '../fields.ts';
import { DROP_REASONS } from '../otlp/drop-reason.ts';
import { ProjectQuotas } from './quota-schemas.ts';

/** The `meta` of every answer about telemetry (docs/telemetry.md#queries). */
export const TelemetryMeta = v.object({
  scope: v.object({
    projectId: v.string(),
    environmentId: v.string(),
    /** The filters of the question, by name. */
    filters: v.record(v.string(), v.unknown()),
  }),
  range: v.object({ from: Instant, to: Instant, timezone: v.literal('UTC') }),
  coverage: v.object({
    /** Whether anything of this kind was observed in the range, with any filters. If false, zeros in the answer mean nothing. */
    observed: v.boolean(),
    since: described(
      Instant,
      'When the first of what is kept happened: of outcomes, or of any signal. When the environment was made, if nothing came.',
    ),
    observedShare: described(
      v.nullable(v.pipe(v.number(), v.minValue(0), v.maxValue(1))),
      'Share of the elapsed minutes (in ranges of over 3 hours: hours) of the range in which something of this kind happened. Null: ' +
        'not known, because the range lies before the upgrade that made it known.',
    ),
    dropped: described(
      v.object(v.entriesFromList(DROP_REASONS, v.optional(Count))),
      'What came in the hours of the range and was not stored, by reason. `request`: whole requests, answered 400, 413 or 415.',
    ),
  }),
  freshness: v.object({
    /** When something of this kind was last received, in any range. */
    lastReceivedAt: v.nullable(Instant),
    lastEventAt: described(
      v.nullable(Instant),
      'When the last of what was received happened, in any range. Null also if nothing new came since the upgrade that made it known.',
    ),
    foldedAt: described(Instant, 'The answer has all that was received, or happened, up to here.'),
    evaluatedAt: Instant,
  }),
  /** How exact the figures are, as a sentence; absent if they are exact. */
  approximate: v.optional(v.string()),
  /** Sentences about what was left out, or what a reader should know. */
  notes: v.optional(v.array(v.string())),
});
export type TelemetryMeta = v.InferOutput<typeof TelemetryMeta>;

/** The same `meta` for lists. */
export const PagedMeta = v.object({
  ...TelemetryMeta.entries,
  nextCursor: described(v.nullable(v.string()), 'What to ask with for the next page; null at the end.'),
});
export type PagedMeta = v.InferOutput<typeof PagedMeta>;

/** A service that sent something in the range. */
export const Service = v.object({
  name: v.string(),
  /** Spans that began in the range. Entries are spans of kind server or consumer, or without a parent. */
  spans: Count,
  entries: Count,
  /** Entries with status error. */
  errors: Count,
  lastSeenAt: Instant,
});
export type Service = v.InferOutput<typeof Service>;

const rate = v.pipe(
  v.number(),
  v.minValue(0),
  v.description('Over the last 5 minutes; repeats aren’t counted.'),
);

/** Whether a signal arrives, when and how much. */
export const Connection = v.object({
  signal: v.picklist(['traces', 'logs', 'metrics', 'outcomes']),
  lastReceivedAt: v.nullable(v.pipe(Instant, v.description('Null: nothing was ever received.'))),
  itemsPerSecond: v.nullable(rate),
  lastError: v.nullable(
    v.pipe(
      v.object({ at: Instant, status: v.pipe(v.number(), v.integer()), message: v.string() }),
      v.description(
        'The last error that a sender got, shown after 5 seconds at most; status 200: a part was not taken as it came.',
      ),
    ),
  ),
  services: v.pipe(
    v.array(v.object({ name: v.string(), lastReceivedAt: Instant, itemsPerSecond: rate })),
    v.description('Those that sent last first, at most 100; of outcomes, their sources.'),
  ),
});
export type Connection = v.InferOutput<typeof Connection>;

/** The `meta` of the connection status. */
export const ConnectionMeta = v.object({
  ...TelemetryMeta.entries,
  quotas: described(ProjectQuotas, 'Of the whole project, with its other environments.'),
});
export type ConnectionMeta = v.InferOutput<typeof ConnectionMeta>;
