import { NeonDbError, type NeonQueryFunction, neon, neonConfig } from '@neondatabase/serverless';
import { DomainError, unavailable } from './errors.ts';

/** Tagged-template SQL over HTTP: a query is one round trip; `sql.transaction([...])` is one round trip and atomic. */
export type Sql = NeonQueryFunction<false, false>;

export interface DatabaseAddress {
  /** `postgres://user:password@host/database`. */
  url: string;
  /** The address of the driver's HTTP protocol, if it isn't the provider's own address for the host. */
  endpoint?: string | undefined;
}

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
  return neon(address.url);
}

/** SQLSTATE classes of temporary faults: connection, resources, operator intervention, serialisation, locks. */
const PASSING_CLASSES = new Set(['08', '53', '57', '58', '40', '55']);
/**
 * undefined_function, undefined_column, undefined_table, cannot_coerce, datatype_mismatch: code, functions or tables are of different
 * versions for now (docs/upgrades.md).
 */
const OTHER_VERSION = new Set(['42883', '42703', '42P01', '42846', '42804']);

/**
 * Whether the same statement may succeed later: the database is out of reach, busy, restarting or being upgraded. The driver sets no
 * SQLSTATE if the request failed, or if a proxy answered for a lost database.
 */
export function isPassingFault(error: unknown): boolean {
  if (!(error instanceof NeonDbError)) return false;
  return !error.code || PASSING_CLASSES.has(error.code.slice(0, 2)) || OTHER_VERSION.has(error.code);
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

/** Turns "database out of reach" into `UNAVAILABLE`; every other error passes through. */
export async function reach<T>(query: PromiseLike<T>): Promise<T> {
  try {
    return await query;
  } catch (error) {
    if (!(error instanceof DomainError) && isPassingFault(error)) throw unavailable(error);
    throw error;
  }
}
