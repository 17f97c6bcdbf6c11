import * as v from 'valibot';
import { Count, described, Instant } from '../fields.ts';
import { paging } from '../paging.ts';
import { attributed, FilterText, hasFewAttributes, isOneRange, ranged } from './question-schemas.ts';
import { PagedMeta, TelemetryMeta } from './schemas.ts';
import { lossOfLog, TraceId } from './trace-schemas.ts';

const nano = v.pipe(v.string(), v.regex(/^\d{1,19}$/), v.description('Nanoseconds since 1970, as sent.'));
const Attributes = v.pipe(
  v.record(v.string(), v.unknown()),
  v.description('By key. An integer beyond 2^53 is a string of its digits.'),
);

/** A log record with its resource and scope. */
export const LogRecord = v.object({
  time: v.pipe(
    Instant,
    v.description('When it happened; else when it was observed; else when it was received.'),
  ),
  timeNano: nano,
  observedTime: v.nullable(Instant),
  severityNumber: v.pipe(
    v.number(),
    v.integer(),
    v.minValue(0),
    v.maxValue(24),
    v.description('1 to 4 trace, 5 debug, 9 info, 13 warn, 17 error, 21 to 24 fatal; 0 is unspecified.'),
  ),
  severityText: v.nullable(v.string()),
  service: v.string(),
  eventName: v.nullable(v.string()),
  body: v.pipe(v.unknown(), v.description('Of any type; null for none.')),
  attributes: Attributes,
  ...lossOfLog,
  traceId: v.nullable(v.string()),
  spanId: v.nullable(v.string()),
  scope: v.object({ name: v.string(), version: v.string(), attributes: Attributes }),
  resource: v.object({ attributes: Attributes, schemaUrl: v.string() }),
});
export type LogRecord = v.InferOutput<typeof LogRecord>;

export const SEVERITY_NAMES = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'] as const;
/** The lowest number of each severity (OpenTelemetry, "Severity fields"). */
const SEVERITIES: Readonly<Record<string, number>> = {
  ...{ trace: 1, debug: 5, info: 9, warn: 13, error: 17, fatal: 21 },
};
const ACCEPTED_NAMES = SEVERITY_NAMES.flatMap((name) => [name, name.toUpperCase()]);

/** The filters of logs. A record matches if it satisfies all of these conditions. */
const filters = {
  severity: v.optional(
    v.pipe(
      v.string(),
      v.description(
        `At least this severe: ${SEVERITY_NAMES.join(', ')}, or a number from 1 (trace) to 24 (fatal).`,
      ),
      v.regex(
        new RegExp(`^(?:${ACCEPTED_NAMES.join('|')}|[1-9]|1\\d|2[0-4])$`),
        `must be one of ${SEVERITY_NAMES.join(', ')}, or a whole number from 1 to 24`,
      ),
      v.transform((text) => SEVERITIES[text.toLowerCase()] ?? Number(text)),
    ),
  ),
  service: v.optional(FilterText),
  text: v.optional(
    v.pipe(
      FilterText,
      v.description(
        'Words of the body: all of them, `"a phrase"`, `or`, `-not`, `begin*`. Whole words, upper case or lower.',
      ),
      v.regex(
        /[\p{L}\p{N}]/u,
        'must have a word: letters or digits. Whole words are found; `begin*` finds words that begin so',
      ),
    ),
  ),
  traceId: v.optional(TraceId),
  ...attributed('record'),
};

export const FindLogs = v.pipe(
  v.strictObject({ ...ranged, ...paging, ...filters }),
  isOneRange(),
  hasFewAttributes(),
);
export type FindLogs = v.InferOutput<typeof FindLogs>;

export const LogsMeta = v.object({
  ...PagedMeta.entries,
  examined: described(Count, 'How many records this page looked at.'),
  searchedFrom: described(
    Instant,
    'Everything from here to the range’s end, or to where the page before ended, was searched.',
  ),
});
export type LogsMeta = v.InferOutput<typeof LogsMeta>;

export const LOG_INTERVALS = ['1s', '10s', '1m', '5m', '15m', '1h', '6h', '1d'] as const;
export type LogInterval = (typeof LOG_INTERVALS)[number];

export const CountLogs = v.pipe(
  v.strictObject({
    ...ranged,
    ...filters,
    interval: v.optional(
      described(
        v.picklist(LOG_INTERVALS),
        'At most 500 fit into a range. Default: the shortest of which 100 do.',
      ),
    ),
  }),
  isOneRange(),
  hasFewAttributes(),
);
export type CountLogs = v.InferOutput<typeof CountLogs>;

/** Severities as people count them: `trace` is 1 to 4, `debug` 5 to 8, and so on. */
export const SEVERITY_GROUPS = ['unspecified', ...SEVERITY_NAMES] as const;

const counted = described(v.nullable(Count), 'Null: not counted, see `meta.countedFrom`.');
const severeCounted = described(v.nullable(Count), 'Null: not counted, see `meta.severeCountedFrom`.');

/** How many log records there are, by time and severity. */
export const LogVolume = v.object({
  intervalSeconds: Count,
  intervals: described(
    v.array(
      v.object({
        time: described(
          Instant,
          'Where it begins. Intervals are aligned to 1970 in UTC; records outside of the range don’t count.',
        ),
        ...{ unspecified: counted, trace: counted, debug: counted, info: counted, warn: counted },
        ...{ error: severeCounted, fatal: severeCounted },
      }),
    ),
    'Every interval of the range.',
  ),
});
export type LogVolume = v.InferOutput<typeof LogVolume>;

export const LogVolumeMeta = v.object({
  ...TelemetryMeta.entries,
  examined: described(Count, 'How many records were looked at.'),
  countedFrom: described(Instant, 'Everything from here to the range’s end was counted.'),
  severeCountedFrom: described(Instant, 'Errors and fatal ones from here to the range’s end were counted.'),
});
export type LogVolumeMeta = v.InferOutput<typeof LogVolumeMeta>;
