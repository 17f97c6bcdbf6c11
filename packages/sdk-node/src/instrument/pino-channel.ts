/** Log records of pino 9.10 and later, from the channel on which it tells each line. */
import { tracingChannel } from 'node:diagnostics_channel';
import { type AnyValue, context, type Logger, SeverityNumber } from '@opentelemetry/api';

const CHANNEL = 'pino_asJson';
/** Longer texts are cut, as the service does. */
const MAX_BODY = 65_536;

/** What pino tells when a line is written. `result` is the line, without what the application told pino to redact. */
interface LineEvent {
  result?: unknown;
}

/** Pino's levels up to the next one. */
const SEVERITIES: readonly (readonly [from: number, SeverityNumber, string])[] = [
  [60, SeverityNumber.FATAL, 'FATAL'],
  [50, SeverityNumber.ERROR, 'ERROR'],
  [40, SeverityNumber.WARN, 'WARN'],
  [30, SeverityNumber.INFO, 'INFO'],
  [20, SeverityNumber.DEBUG, 'DEBUG'],
  [0, SeverityNumber.TRACE, 'TRACE'],
];
/** Names of levels, where an application has pino write names in place of numbers. */
const NAMED_LEVELS: Record<string, number> = {
  trace: 10,
  debug: 20,
  info: 30,
  warn: 40,
  error: 50,
  fatal: 60,
};

/** Emits a record for each line that pino writes from now on. Returns what ends it. */
export function watchPino(logger: Logger): () => void {
  const channel = tracingChannel(CHANNEL);
  const onEnd = (event: unknown): void => {
    try {
      emit(logger, event as LineEvent);
    } catch {
      // A line that can't be read is the application's own affair.
    }
  };
  channel.end.subscribe(onEnd);
  return () => channel.end.unsubscribe(onEnd);
}

function emit(logger: Logger, { result }: LineEvent): void {
  if (typeof result !== 'string') return;
  const { level, time, msg, pid: _pid, hostname: _hostname, ...rest } = JSON.parse(result);
  const [, severityNumber, severityText] = severityOf(level);
  const { err } = rest;
  if (err !== null && typeof err === 'object') {
    delete rest.err;
    Object.assign(rest, exceptionOf(err));
  }
  logger.emit({
    severityNumber,
    severityText,
    body: typeof msg === 'string' ? msg.slice(0, MAX_BODY) : '',
    ...(typeof time === 'number' && { timestamp: time }),
    attributes: rest as Record<string, AnyValue>,
    context: context.active(),
  });
}

function severityOf(level: unknown): readonly [number, SeverityNumber, string] {
  const number = typeof level === 'string' ? (NAMED_LEVELS[level.toLowerCase()] ?? 30) : Number(level);
  return SEVERITIES.find(([from]) => number >= from) ?? [0, SeverityNumber.TRACE, 'TRACE'];
}

const exceptionOf = ({ type, message, stack }: Record<string, unknown>): Record<string, AnyValue> => ({
  ...(typeof type === 'string' && { 'exception.type': type }),
  ...(typeof message === 'string' && { 'exception.message': message }),
  ...(typeof stack === 'string' && { 'exception.stacktrace': stack }),
});
