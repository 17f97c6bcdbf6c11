import { DomainError } from '../errors.ts';

/** One line per request. Never holds a URL, an address, a user agent or a token. */
export interface LogLine {
  level: 'info' | 'error';
  function: string;
  event: string;
  requestId?: string;
  method?: string;
  /** The route's pattern; null if no route matched. */
  route?: string | null;
  status?: number;
  durationMs?: number;
  /** The job of a cron. */
  job?: string;
  /** The code that the caller got. */
  error?: string;
  /** The detailed reason, outermost error first. The caller never gets it. */
  causes?: Cause[];
}

export interface Cause {
  name: string;
  message: string;
  code?: string;
  stack?: string;
}

export type Log = (line: LogLine) => void;

export const logToConsole: Log = (line) => {
  if (line.level === 'error') console.error(JSON.stringify(line));
  else console.log(JSON.stringify(line));
};

/** Logs a cron's job that failed, with its causes. */
export const reportJob =
  (name: string, log: Log = logToConsole) =>
  (job: string, fault: unknown): void =>
    log({ level: 'error', function: name, event: 'cron job failed', job, causes: causesOf(fault) });

const MAX_CAUSES = 5;
const MAX_MESSAGE_LENGTH = 1000;
const MAX_STACK_LENGTH = 4000;

/** An error and its causes, cut to a size that the log accepts. A domain error shows only its causes: its message is in the answer. */
export function causesOf(error: unknown): Cause[] {
  const causes: Cause[] = [];
  let current = error instanceof DomainError ? error.cause : error;
  while (current !== undefined && current !== null && causes.length < MAX_CAUSES) {
    causes.push(describe(current));
    current = current instanceof Error ? current.cause : undefined;
  }
  return causes;
}

function describe(error: unknown): Cause {
  if (!(error instanceof Error))
    return { name: typeof error, message: 'Something that is no Error was thrown.' };
  const cause: Cause = { name: error.name, message: messageOf(error).slice(0, MAX_MESSAGE_LENGTH) };
  if ('code' in error && typeof error.code === 'string') cause.code = error.code;
  if (error.stack !== undefined) cause.stack = framesOf(error, error.stack).slice(0, MAX_STACK_LENGTH);
  return cause;
}

/** The message without what it quotes: of a request's body, of a Redis command, of a value that the database refused. */
function messageOf(error: Error): string {
  const { name, message } = error;
  if (name === 'SyntaxError') return 'Text that could not be parsed.';
  if (name === 'ValiError') return 'Data that breaks its schema.';
  if (name === 'UpstashJSONParseError') return 'Redis answered something that is no JSON.';
  if (name === 'UpstashError') return message.replace(/, command was:.*$/s, '');
  // SQLSTATE class 22, data exceptions, quote the value.
  const isDataException = 'code' in error && typeof error.code === 'string' && error.code.startsWith('22');
  return isDataException ? message.replace(/".*"/s, '"..."') : message;
}

/** The stack begins with the message. Only its frames are logged. */
const framesOf = ({ message }: Error, stack: string): string =>
  stack
    .replace(message, '')
    .split('\n')
    .filter((line) => /^\s+at /.test(line))
    .join('\n');
