/** When the attack may send its next request. */
import { setTimeout as wait } from 'node:timers/promises';

export interface Pace {
  /** Resolves when that number of requests may be sent. */
  turn(requests: number): Promise<void>;
  /** Lets nothing be sent until `resume`. */
  pause(): void;
  resume(): void;
  /** How long nothing could be sent, in milliseconds. */
  pausedMs(): number;
}

const MACHINE = { now: () => performance.now(), wait: (ms: number): Promise<void> => wait(ms) };

/** Without a rate the attack sends as fast as it is answered. Time that is missed isn't made up for by a burst. */
export function createPace(requestsPerSecond = Number.POSITIVE_INFINITY, clock = MACHINE): Pace {
  let next = 0;
  let paused = 0;
  let pause: { since: number; over: Promise<void>; end: () => void } | undefined;
  return {
    async turn(requests) {
      const now = clock.now();
      const at = Math.max(next, now);
      next = at + (requests * 1000) / requestsPerSecond;
      if (at > now) await clock.wait(at - now);
      while (pause !== undefined) await pause.over;
    },
    pause() {
      const { promise, resolve } = Promise.withResolvers<void>();
      pause = { since: clock.now(), over: promise, end: resolve };
    },
    resume() {
      if (pause === undefined) return;
      paused += clock.now() - pause.since;
      pause.end();
      pause = undefined;
    },
    pausedMs: () => paused,
  };
}
