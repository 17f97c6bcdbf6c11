import * as v from 'valibot';
import { Instant } from '../fields.ts';

const nano = v.pipe(v.string(), v.regex(/^\d{1,19}$/), v.description('Nanoseconds since 1970, as sent.'));
const Attributes = v.pipe(
  v.record(v.string(), v.unknown()),
  v.description('By key. An integer beyond 2^53 is a string of its digits.'),
);

/** A log record, with who sent it. */
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
  traceId: v.nullable(v.string()),
  spanId: v.nullable(v.string()),
  scope: v.object({ name: v.string(), version: v.string(), attributes: Attributes }),
  resource: v.object({ attributes: Attributes, schemaUrl: v.string() }),
});
export type LogRecord = v.InferOutput<typeof LogRecord>;

/** The least number of each severity (OpenTelemetry, "Severity fields"). */
export const SEVERITIES = { trace: 1, debug: 5, info: 9, warn: 13, error: 17, fatal: 21 } as const;
