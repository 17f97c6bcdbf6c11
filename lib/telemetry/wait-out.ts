import { DomainError } from '../errors.ts';

export type WaitOut = <T>(attempt: () => Promise<T>) => Promise<T>;

export interface WaitOutOptions {
  sleep: (ms: number) => Promise<void>;
  /** How often an attempt is made again. */
  retries?: number;
  pauseMs?: number;
  /** How many may wait at once; more would fill an isolate's memory with their bodies. */
  maxWaiting?: number;
}

/**
 * An isolate's way to sit out a database that is away for a moment: what throws `UNAVAILABLE` is tried again each second for four,
 * before the sender is told. Official exporters try five times more and wait two seconds in between, so that together they outlast
 * half a minute, where without this it would be ten seconds.
 */
export function createWaitOut(options: WaitOutOptions): WaitOut {
  const { sleep, retries = 4, pauseMs = 1000, maxWaiting = 32 } = options;
  let waiting = 0;
  return async (attempt) => {
    for (let left = retries; ; left -= 1) {
      try {
        return await attempt();
      } catch (error) {
        if (!isUnavailable(error) || left === 0 || waiting >= maxWaiting) throw error;
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
