import { DomainError } from '../errors.ts';

export type WaitOut = <T>(attempt: () => Promise<T>) => Promise<T>;

export interface WaitOutOptions {
  sleep: (ms: number) => Promise<void>;
  /** Epoch milliseconds. */
  now: () => number;
  /** Number of retries after the first attempt. */
  retries?: number;
  pauseMs?: number;
  /** No retry begins later than this after the first attempt: a database that hangs is reported at once. */
  patienceMs?: number;
  /** Maximum number of waiting requests; more bodies would fill an isolate's memory. */
  maxWaiting?: number;
}

/**
 * Lets an isolate wait while the database is away for a moment: repeats a call that throws `UNAVAILABLE` each second, four times,
 * before the sender gets an error. Official exporters retry five times with two seconds between. Together this bridges half a minute
 * instead of ten seconds.
 */
export function createWaitOut(options: WaitOutOptions): WaitOut {
  const { sleep, now, retries = 4, pauseMs = 1000, patienceMs = 6000, maxWaiting = 32 } = options;
  let waiting = 0;
  return async (attempt) => {
    const lastAt = now() + patienceMs - pauseMs;
    for (let left = retries; ; left -= 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!isUnavailable(error) || left === 0 || waiting >= maxWaiting || now() > lastAt) throw error;
      }
      waiting += 1;
      await sleep(pauseMs).finally(() => {
        waiting -= 1;
      });
    }
  };
}

const isUnavailable = (error: unknown): boolean =>
  error instanceof DomainError && error.code === 'UNAVAILABLE';
