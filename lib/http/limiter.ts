/** A quota: `quota` requests in each window of `windowSeconds`. */
export interface LimitPolicy {
  /** Name in the `RateLimit` headers and the Redis keys: lower-case letters and dashes. */
  name: string;
  quota: number;
  windowSeconds: number;
}

/**
 * What a surface does while the shared count is slow (no answer within `PATIENCE_MS`) or away. Each surface decides; there is no default.
 * `count-here`: the isolate's own count decides in both cases.
 * `count-here-if-slow`: it decides if Redis is slow; while Redis is away nobody passes.
 * `wait`: against guesses. Waits as long as the deadline of Redis; nobody passes uncounted.
 */
export type WithoutAnswer = 'count-here' | 'count-here-if-slow' | 'wait';

/** A limiter's verdict on one request. `away`: Redis is out of reach and the surface lets nobody pass then; nothing was counted. */
export type Verdict =
  | { outcome: 'allowed' | 'refused'; remaining: number; resetSeconds: number }
  | { outcome: 'away'; cause: unknown };

export interface Taking {
  /** Requests that this one counts as, at most the quota. Default: 1. */
  count?: number;
  /** Gets what goes on after the verdict: the booking of a slow Redis. Without it the runtime may end that with the request. */
  later?: (work: Promise<void>) => void;
}

/** Counts requests of a key. Never throws. Made once per isolate. */
export interface Limiter {
  policy: LimitPolicy;
  take(key: string, without: WithoutAnswer, taking?: Taking): Promise<Verdict>;
  /** Takes back a request that doesn't count after all, such as a right password. */
  undo(key: string): Promise<void>;
}

/** Whole seconds until `resetMs` (epoch milliseconds). At least 1, so that a waiting client returns after the reset. */
export const secondsUntil = (resetMs: number, nowMs: number): number =>
  Math.max(1, Math.ceil((resetMs - nowMs) / 1000));
