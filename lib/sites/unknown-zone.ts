import { NeonDbError } from '@neondatabase/serverless';
import { DomainError } from '../errors.ts';

/** SQLSTATE invalid_parameter_value: `at time zone` of a name that the database's own zone files lack. */
const INVALID_PARAMETER_VALUE = '22023';

/** Turns a zone that the runtime knows and the database doesn't into `VALIDATION_ERROR`. */
export async function refuseUnknownZone<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (cause) {
    if (!(cause instanceof NeonDbError) || cause.code !== INVALID_PARAMETER_VALUE) throw cause;
    const details = [{ path: 'timezone', message: 'must be a time zone that reports can be cut by' }];
    throw new DomainError('VALIDATION_ERROR', 'The request breaks the rules named in `details`.', {
      details,
      cause,
    });
  }
}
