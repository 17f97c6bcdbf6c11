import type { LogRow, ResourceRow, SpanRow } from '../../otlp/rows.ts';
import { type ErrorKey, errorOfLog, errorsOfSpan, textOfKey } from './error-grouping.ts';

/** Examples of a group that a request adds, each of another trace. A group keeps the newest (schema/functions/sum-errors.sql). */
const MAX_EXAMPLES = 3;
const MAX_RELEASE = 64;
const HOUR_SECONDS = 3600;

/** A row of `error_parts`: the errors of one group that a request has, of one hour and release. */
export interface ErrorPart extends ErrorKey {
  /** The same index as in `SpanRow`. */
  resource: number;
  /** `service.version`; empty if it is unknown. */
  release: string;
  /** The start of the hour, seconds since 1970. */
  hour: number;
  occurrences: number;
  firstNano: string;
  lastNano: string;
  examples: Example[];
  /** Each once. */
  traces: string[];
}

/** `time` is in nanoseconds. */
interface Example {
  time: string;
  trace: string;
  span: string;
}

/** An error of a log record: of `logs[log]`. */
export interface LoggedError extends ErrorKey {
  log: number;
  release: string;
}

type Resources = readonly (ResourceRow | null)[];

/** The errors of a request's spans, summed; undefined if it has none. */
export function errorPartsOf(resources: Resources, spans: readonly SpanRow[]): ErrorPart[] | undefined {
  const parts = new Map<string, PartInWork>();
  for (const span of spans) for (const key of errorsOfSpan(span)) add(parts, resources, span, key);
  if (parts.size === 0) return undefined;
  return [...parts.values()].map((part) => ({ ...part, traces: [...part.traces] }));
}

/** The errors of a request's log records; undefined if it has none. They are summed where it is known which records are new. */
export function loggedErrorsOf(
  resources: Resources,
  logs: readonly Pick<LogRow, 'resource' | 'severityNumber' | 'body' | 'attributes' | 'eventName'>[],
): LoggedError[] | undefined {
  const errors: LoggedError[] = [];
  for (const [log, record] of logs.entries()) {
    const key = errorOfLog(record);
    if (key !== null) errors.push({ log, release: releaseOf(resources[record.resource]), ...key });
  }
  return errors.length === 0 ? undefined : errors;
}

type PartInWork = Omit<ErrorPart, 'traces'> & { traces: Set<string> };

function add(parts: Map<string, PartInWork>, resources: Resources, span: SpanRow, key: ErrorKey): void {
  const { resource, startNano, traceId, spanId } = span;
  const hour = Math.floor(Number(startNano.slice(0, -9)) / HOUR_SECONDS) * HOUR_SECONDS;
  const id = `${hour} ${resource} ${textOfKey(key)}`;
  let part = parts.get(id);
  if (part === undefined) {
    const release = releaseOf(resources[resource]);
    part = {
      ...key,
      resource,
      release,
      hour,
      occurrences: 0,
      firstNano: startNano,
      lastNano: startNano,
      examples: [],
      traces: new Set<string>(),
    };
    parts.set(id, part);
  }
  part.occurrences += 1;
  part.traces.add(traceId);
  if (isBefore(startNano, part.firstNano)) part.firstNano = startNano;
  if (isBefore(part.lastNano, startNano)) part.lastNano = startNano;
  if (part.examples.length < MAX_EXAMPLES && part.examples.every(({ trace }) => trace !== traceId))
    part.examples.push({ time: startNano, trace: traceId, span: spanId });
}

const releaseOf = (resource: ResourceRow | null | undefined): string => {
  const version = resource?.attributes['service.version'];
  return typeof version === 'string' || typeof version === 'number'
    ? String(version).slice(0, MAX_RELEASE).toWellFormed()
    : '';
};

/** Compares decimal numbers without leading zeros. */
const isBefore = (one: string, other: string): boolean =>
  one.length === other.length ? one < other : one.length < other.length;
