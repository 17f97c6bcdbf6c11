import { NeonDbError } from '@neondatabase/serverless';
import { DomainError } from '../errors.ts';

/** SQLSTATE invalid_parameter_value: raised by `at time zone` if the database's zone files lack the name. */
const INVALID_PARAMETER_VALUE = '22023';

/** Turns a zone that the runtime knows but the database lacks into `VALIDATION_ERROR`. */
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
