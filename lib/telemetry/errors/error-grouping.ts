import type { Attributes, Json, LogRow, SpanRow } from '../../otlp/rows.ts';
import { readStack } from './stack-frames.ts';
import { isReadable, operationOf, templateOf } from './text-template.ts';

/** What errors of one group have in common, besides their service. Each text may be empty. */
export interface ErrorKey {
  type: string;
  /** The type of the exception that caused it, if that is where the location is from. */
  cause: string;
  /** Where in the code it began; of a failed span without an exception, its operation. */
  location: string;
  /** The text without its variable parts, if the location alone doesn't say which error it is. */
  template: string;
}

/** Severity numbers from ERROR on. */
const ERROR = 17;
const FAILED = 2;
const MAX_TYPE = 128;
/** HTTP statuses, and the SQLSTATE of databases. */
const CODE = /^(?:\d{3}|[0-9A-Z]{5})$/;
const TYPE = /^[*&]?[A-Za-z_$][\w$.:\\/+<>`[\],-]*$/;

/**
 * The errors of a span: its exceptions, each group once; without one, the failure itself. A span that tries something five times and
 * records five equal exceptions is one error.
 */
export function errorsOfSpan(span: SpanRow): ErrorKey[] {
  const keys = new Map<string, ErrorKey>();
  for (const { name, attributes } of span.events)
    if (name === 'exception' || hasException(attributes)) {
      const key = keyOfException(exceptionOf(attributes));
      keys.set(textOfKey(key), key);
    }
  if (keys.size > 0) return [...keys.values()];
  return span.statusCode === FAILED ? [keyOfFailure(span)] : [];
}

/** The error of a log record; null: it has none. */
export function errorOfLog({
  severityNumber,
  body,
  attributes,
  eventName,
}: LogRow | LogLike): ErrorKey | null {
  if (hasException(attributes)) return keyOfException(exceptionOf(attributes));
  if (severityNumber < ERROR) return null;
  const text = messageOf(body);
  const { type, message, stack } = loggedError(body, attributes) ?? {
    type: '',
    message: text,
    stack: text.includes('\n') ? text : '',
  };
  return keyOfException({
    type: type || textAt(attributes, 'error.type') || (stack === '' ? eventName : ''),
    message,
    stack,
  });
}

type LogLike = Pick<LogRow, 'severityNumber' | 'body' | 'attributes' | 'eventName'>;

/** Equal for equal keys. */
export const textOfKey = ({ type, cause, location, template }: ErrorKey): string =>
  JSON.stringify([type, cause, location, template]);

interface Exception {
  type: string;
  message: string;
  stack: string;
}

function keyOfException({ type, message, stack }: Exception): ErrorKey {
  const { frame, cause, type: typeOfStack } = readStack(stack);
  const isFound = frame?.isOwn === true && frame.name !== '';
  return wellFormed({
    type:
      typeName(type) ||
      typeName(typeOfStack ?? '') ||
      typeName(/^(\w*(?:Error|Exception)):/.exec(message)?.[1] ?? '') ||
      'Error',
    cause: typeName(cause ?? ''),
    location: frame === null ? '' : [frame.name, frame.file].filter(Boolean).join(' · '),
    // A function of the application says enough. A file, or a library's function, has many errors.
    template: isFound ? '' : templateOf(message || firstLineAfterType(stack)),
  });
}

const keyOfFailure = ({ name, statusMessage, attributes }: SpanRow): ErrorKey =>
  wellFormed({
    type:
      typeName(textAt(attributes, 'error.type')) ||
      statusOf(attributes, 'http.response.status_code') ||
      statusOf(attributes, 'http.status_code') ||
      statusOf(attributes, 'rpc.grpc.status_code') ||
      'Error',
    cause: '',
    location: operationOf(name),
    template: templateOf(statusMessage),
  });

/** A text that was cut between the halves of a character is none that PostgreSQL stores. */
const wellFormed = ({ type, cause, location, template }: ErrorKey): ErrorKey => ({
  type: type.toWellFormed(),
  cause: cause.toWellFormed(),
  location: location.toWellFormed(),
  template: template.toWellFormed(),
});

const statusOf = (attributes: Attributes, key: string): string =>
  /^\d{1,3}$/.exec(String(attributes[key] ?? ''))?.[0] ?? '';

/** A type's name. A text that can't be one loses its variable parts as a text does. */
function typeName(text: string): string {
  if (CODE.test(text)) return text;
  const name = text.length > MAX_TYPE || !TYPE.test(text) ? templateOf(text) : text;
  return name.replaceAll(/\d{4,}/g, '*');
}

const EXCEPTION = ['exception.type', 'exception.message', 'exception.stacktrace'] as const;

const hasException = (attributes: Attributes): boolean =>
  EXCEPTION.some((key) => attributes[key] !== undefined);

const exceptionOf = (attributes: Attributes): Exception => {
  const [type, message, stack] = EXCEPTION.map((key) => textAt(attributes, key)) as [string, string, string];
  return { type, message, stack };
};

const textAt = (attributes: Attributes, key: string): string => {
  const value = attributes[key];
  return typeof value === 'string' ? value : '';
};

const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const messageOf = (body: Json): string => {
  if (typeof body === 'string') return body;
  if (!isObject(body)) return '';
  return textAt(body, 'message') || textAt(body, 'msg');
};

/** An error as loggers write it, in `err` or `error` of the attributes or of the body. */
function loggedError(body: Json, attributes: Attributes): Exception | undefined {
  for (const fields of [attributes, isObject(body) ? body : {}])
    for (const key of ['err', 'error']) {
      const value = fields[key];
      const stack = isObject(value) ? textAt(value, 'stack') : textAt(fields, `${key}.stack`);
      if (stack === '') continue;
      const read = (name: string): string =>
        isObject(value) ? textAt(value, name) : textAt(fields, `${key}.${name}`);
      return { type: read('type') || read('name'), message: read('message'), stack };
    }
  return undefined;
}

/** The message in a stack's first line: `TypeError: x is not a function`. */
function firstLineAfterType(stack: string): string {
  const line = stack.slice(0, 1000).split('\n', 1)[0] as string;
  const at = line.indexOf(': ');
  return at > 0 && isReadable(line.slice(0, at).replaceAll(/[\d$\\:]/g, '')) ? line.slice(at + 2) : line;
}
