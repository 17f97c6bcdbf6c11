/** Log records of pino 9.10 and later, from the channel on which it tells each line. */
import { tracingChannel } from 'node:diagnostics_channel';
import { type AnyValue, context, type Logger, SeverityNumber } from '@opentelemetry/api';

const CHANNEL = 'pino_asJson';
/** Longer texts are cut, as the service does. */
const MAX_BODY = 65_536;

/** What pino tells when a line is written. `result` is the line, without what the application configured pino to redact. */
interface LineEvent {
  result?: unknown;
  /** The logger. */
  instance?: object;
  /** Of pino's own function: object, message, number of the level, and the time as it stands in the line. */
  arguments?: ArrayLike<unknown>;
}

/** How a logger names its fields. */
interface Names {
  message: string;
  error: string;
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
/** Names of levels, where an application has pino write names instead of numbers. */
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

function emit(logger: Logger, { result, instance, arguments: given = [] }: LineEvent): void {
  if (typeof result !== 'string') return;
  const names = namesOf(instance);
  const { pid: _pid, hostname: _hostname, ...rest } = JSON.parse(result);
  const take = (name: string): unknown => {
    const value = rest[name];
    delete rest[name];
    return value;
  };
  // Where the application writes levels in its own words, the number is the one of pino's function.
  const level = take('level');
  const [, severityNumber, severityText] = severityOf(typeof given[2] === 'number' ? given[2] : level);
  const timestamp = readTime(take(TIME_IN_LINE.exec(String(given[3]))?.[1] ?? 'time'));
  const message = take(names.message);
  const error = rest[names.error];
  if (error !== null && typeof error === 'object') {
    delete rest[names.error];
    Object.assign(rest, exceptionOf(error));
  }
  logger.emit({
    severityNumber,
    severityText,
    body: typeof message === 'string' ? message.slice(0, MAX_BODY) : '',
    ...(timestamp !== undefined && { timestamp }),
    attributes: rest as Record<string, AnyValue>,
    context: context.active(),
  });
}

/** `,"time":` */
const TIME_IN_LINE = /^,"([^"]+)":/;
/** A number below it is of seconds. */
const FIRST_MS = 1e11;

/** Milliseconds since 1970, of pino's functions of time: milliseconds, seconds, or a text of RFC 3339. */
function readTime(value: unknown): number | undefined {
  const number = typeof value === 'string' ? Date.parse(value) : value;
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined;
  return number < FIRST_MS && typeof value === 'number' ? number * 1000 : number;
}

const DEFAULT_NAMES: Names = { message: 'msg', error: 'err' };
/** Pino keeps them under symbols that differ from one copy of pino to another. Loggers inherit from their parents. */
const symbols = new Map<string, symbol>();

function namesOf(instance: object | undefined): Names {
  if (instance === undefined) return DEFAULT_NAMES;
  return {
    message: readName(instance, 'pino.messageKey') ?? DEFAULT_NAMES.message,
    error: readName(instance, 'pino.errorKey') ?? DEFAULT_NAMES.error,
  };
}

function readName(instance: object, description: string): string | undefined {
  const known = symbols.get(description);
  const symbol = known !== undefined && known in instance ? known : findSymbol(instance, description);
  if (symbol === undefined) return undefined;
  symbols.set(description, symbol);
  const name: unknown = Reflect.get(instance, symbol);
  return typeof name === 'string' ? name : undefined;
}

function findSymbol(instance: object, description: string): symbol | undefined {
  for (let owner: object | null = instance; owner; owner = Object.getPrototypeOf(owner)) {
    const symbol = Object.getOwnPropertySymbols(owner).find((one) => one.description === description);
    if (symbol) return symbol;
  }
  return undefined;
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
