import { NeonDbError } from '@neondatabase/serverless';
import { DomainError } from '../errors.ts';
import { MAX_DEFINITIONS } from './schemas.ts';

/** SQLSTATE unique_violation. */
const UNIQUE_VIOLATION = '23505';

/** Turns a name that another one of the site has into `CONFLICT`. */
export async function refuseTakenName<T>(query: Promise<T>): Promise<T> {
  try {
    return await query;
  } catch (cause) {
    if (!(cause instanceof NeonDbError) || cause.code !== UNIQUE_VIOLATION) throw cause;
    throw new DomainError('CONFLICT', 'The site has another one of this name. Choose a name of its own.', {
      cause,
    });
  }
}

export const tooMany = (): DomainError =>
  new DomainError('CONFLICT', `A site holds at most ${MAX_DEFINITIONS} of these. Delete one.`);
