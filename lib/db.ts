import { NeonDbError, type NeonQueryFunction, neon, neonConfig } from '@neondatabase/serverless';
import { DomainError, maybeStored, unavailable } from './errors.ts';

/** Tagged-template SQL over HTTP: a query is one round trip; `sql.transaction([...])` is one round trip and atomic. */
export type Sql = NeonQueryFunction<false, false>;

/** A part of a statement, made by `sql`. */
export type Fragment = ReturnType<Sql>;

/** As much of `fetch` as the driver uses. */
export type DriverFetch = (
  url: string,
  init: RequestInit,
) => Promise<Pick<Response, 'ok' | 'status' | 'json' | 'text'>>;

export const commaSeparated = (sql: Sql, [first = sql``, ...others]: readonly Fragment[]): Fragment =>
  others.reduce((list, one) => sql`${list}, ${one}`, first);

export interface DatabaseAddress {
  /** `postgres://user:password@host/database`. */
  url: string;
  /** The address of the driver's HTTP protocol, if it isn't the provider's own address for the host. */
  endpoint?: string | undefined;
  /** Who answers the driver's HTTP protocol instead, within this process. */
  fetch?: DriverFetch | undefined;
  /** After this time a call counts as failed, also if the connection hangs. Default: no deadline, for commands on an operator's machine. */
  deadlineMs?: number | undefined;
}

/** How long a call to the database may take (docs/limits.md#deadlines). */
export const DEADLINES_MS = {
  management: 5_000,
  receiver: 8_000,
  /** Then the database itself is asked. */
  replica: 8_000,
  reports: 15_000,
  background: 300_000,
} as const;

/** The driver has one setting for all connections and looks each host up here. */
const endpoints = new Map<string, string>();
const standardEndpoint = neonConfig.fetchEndpoint;

export function connectDatabase(address: DatabaseAddress): Sql {
  if (address.endpoint !== undefined) {
    endpoints.set(new URL(address.url).host, address.endpoint);
    neonConfig.fetchEndpoint = (host, port, options) =>
      endpoints.get(`${host}:${port}`) ??
      (typeof standardEndpoint === 'string' ? standardEndpoint : standardEndpoint(host, port, options));
  }
  // The driver passes its `fetchOptions` to `fetchFunction`, with each call.
  return neon(address.url, { fetchOptions: { deadlineMs: address.deadlineMs, send: address.fetch } });
}

/** A fetch that ends at the deadline. A lost answer is an error of the driver's kind, like a connection that can't be made. */
neonConfig.fetchFunction = async (
  url: string,
  { deadlineMs, send = fetch, ...init }: RequestInit & { deadlineMs?: number; send?: DriverFetch },
) => {
  const response = await send(url, {
    ...init,
    ...(deadlineMs !== undefined && { signal: AbortSignal.timeout(deadlineMs) }),
  });
  const whole = <T>(reading: Promise<T>): Promise<T> =>
    reading.catch((cause: unknown) => {
      throw Object.assign(new NeonDbError(`The answer was lost: ${cause}`), { cause });
    });
  return {
    ok: response.ok,
    status: response.status,
    json: () => whole(response.json()),
    text: () => whole(response.text()),
  };
};

/** SQLSTATE classes of temporary faults: connection, resources, operator intervention, serialisation, locks. */
const PASSING_CLASSES = new Set(['08', '53', '57', '58', '40', '55']);
/**
 * undefined_function, undefined_column, undefined_table, cannot_coerce, datatype_mismatch: code, functions or tables are of different
 * versions for now (docs/upgrades.md).
 */
const OTHER_VERSION = new Set(['42883', '42703', '42P01', '42846', '42804']);

/** read_only_sql_transaction: a standby took over, or the operator moves the database (docs/operations.md#move-to-another-database). */
const READ_ONLY = '25006';

/**
 * Whether the same statement may succeed later: the database is out of reach, busy, read only, restarting or being upgraded. The driver sets no
 * SQLSTATE if the request failed, or if a proxy answered for a lost database.
 */
export function isPassingFault(error: unknown): boolean {
  if (!(error instanceof NeonDbError)) return false;
  const { code } = error;
  return !code || code === READ_ONLY || PASSING_CLASSES.has(code.slice(0, 2)) || OTHER_VERSION.has(code);
}

/** SQLSTATE query_canceled: raised by `statement_timeout`. */
export const QUERY_CANCELED = '57014';

/** Whether a call met its deadline. */
export function isLate(error: unknown): boolean {
  if (!(error instanceof NeonDbError)) return false;
  // Before and within the answer.
  const cause = error.sourceError ?? error.cause;
  return error.code === QUERY_CANCELED || (cause instanceof Error && cause.name === 'TimeoutError');
}

/** SQLSTATE unique_violation. */
const UNIQUE_VIOLATION = '23505';
/** SQLSTATE check_violation. PostgreSQL also raises it for a row without a partition. */
const CHECK_VIOLATION = '23514';

/** Whether a row broke a constraint of its table or has no partition. */
export const isCheckViolation = (error: unknown): boolean =>
  error instanceof NeonDbError && error.code === CHECK_VIOLATION;

/** Turns a violation of a unique index into `CONFLICT` with this message; every other error passes through. */
export async function refuseTaken<T>(query: Promise<T>, message: string): Promise<T> {
  try {
    return await query;
  } catch (cause) {
    if (!(cause instanceof NeonDbError) || cause.code !== UNIQUE_VIOLATION) throw cause;
    throw new DomainError('CONFLICT', message, { cause });
  }
}

/** SQLSTATE class of faults of the connection. */
const CONNECTION_CLASS = '08';

/** Whether the database itself refused the statement, and so rolled it back. Otherwise only the answer may have been lost. */
const wasRolledBack = (error: unknown): boolean =>
  error instanceof NeonDbError && Boolean(error.code) && !error.code?.startsWith(CONNECTION_CLASS);

/** SQLSTATE configuration_limit_exceeded: `begin_question` refuses. */
const TOO_MANY_QUESTIONS = '53400';

export const isTooManyQuestions = (error: unknown): boolean =>
  error instanceof NeonDbError && error.code === TOO_MANY_QUESTIONS;

/** Throws `RATE_LIMITED` if the asker has too many questions in the database. */
function refuseTooMany(error: unknown): void {
  if (!isTooManyQuestions(error)) return;
  throw new DomainError(
    'RATE_LIMITED',
    'Too many questions at the same time. Wait for the answers of the others.',
    { retryAfterSeconds: 2, cause: error },
  );
}

/** Turns "database out of reach" into `UNAVAILABLE`, which says if a change may have been stored, and a refusal of
 * `begin_question` into `RATE_LIMITED`; every other error passes through. */
export async function reach<T>(query: PromiseLike<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    refuseTooMany(error);
    if (error instanceof DomainError || !isPassingFault(error)) throw error;
    throw wasRolledBack(error) ? unavailable(error) : maybeStored(error);
  }
}

/** The same for a statement that only looks something up: nothing was changed. */
export async function reachToRead<T>(query: PromiseLike<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    if (!(error instanceof DomainError) && isPassingFault(error)) throw unavailable(error);
    throw error;
  }
}
