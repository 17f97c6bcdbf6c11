import { refuseTaken } from '../db.ts';
import { DomainError } from '../errors.ts';
import { MAX_DEFINITIONS } from './schemas.ts';

/** Turns a name that another goal or funnel of the site already has into `CONFLICT`. */
export const refuseTakenName = <T>(query: Promise<T>): Promise<T> =>
  refuseTaken(query, 'The site already has one with this name. Choose another name.');

export const tooMany = (): DomainError =>
  new DomainError('CONFLICT', `A site holds at most ${MAX_DEFINITIONS} of these. Delete one.`);
