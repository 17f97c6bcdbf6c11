import { DomainError } from '../errors.ts';
import type { ContentContext } from './content-context.ts';
import { GuidesAway } from './guide-source.ts';

/** After this time guides may be there again. */
export const RETRY_SECONDS = 5;

/** Runs a read that needs guides. Throws `UNAVAILABLE` when guides are unavailable. */
export async function needGuides<T>(read: Promise<T>): Promise<T> {
  try {
    return await read;
  } catch (error) {
    if (!(error instanceof GuidesAway)) throw error;
    throw new DomainError(
      'UNAVAILABLE',
      'Guides can’t be read at the moment; services, case studies, products and business facts can.',
      { retryAfterSeconds: RETRY_SECONDS, cause: error },
    );
  }
}

/** Runs a read that can go without guides. Undefined, and a line in the log, while they are unavailable. */
export async function unlessAway<T>(ctx: ContentContext, read: () => Promise<T>): Promise<T | undefined> {
  try {
    return await read();
  } catch (error) {
    if (!(error instanceof GuidesAway)) throw error;
    ctx.report(error);
    return undefined;
  }
}
