import { DomainError } from '../errors.ts';
import { GuidesAway } from './guide-source.ts';

const RETRY_SECONDS = 5;

/** Runs a read that can't do without guides: throws `UNAVAILABLE` when they are away. */
export async function needGuides<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (!(error instanceof GuidesAway)) throw error;
    throw new DomainError(
      'UNAVAILABLE',
      'Guides are out of reach for the moment; services, case studies, products and business facts are not. Try again soon.',
      { retryAfterSeconds: RETRY_SECONDS, cause: error },
    );
  }
}
