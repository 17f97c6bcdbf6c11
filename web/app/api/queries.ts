import { QueryClient } from '@tanstack/preact-query';
import { ApiError } from './operation.ts';

const MAX_TRIES = 4;
/** Data that was loaded longer ago than this is asked for again when it is shown. */
const FRESH_MS = 30_000;

/** Whether waiting may help. */
export const isPassing = (error: unknown): boolean =>
  error instanceof ApiError && (error.status === 0 || error.status === 429 || error.status >= 500);

/** The answers of the service, kept while the page is open. What fails for a moment is tried again by itself. */
export const queries = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: FRESH_MS,
      retry: (failures, error) => failures < MAX_TRIES && isPassing(error),
      retryDelay: (failures, error) =>
        1000 * ((error instanceof ApiError && error.retryAfter) || 2 ** failures),
    },
  },
});
