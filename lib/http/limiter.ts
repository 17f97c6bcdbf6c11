/** A quota: `quota` requests in each window of `windowSeconds`. */
export interface LimitPolicy {
  /** Name in the `RateLimit` headers and the Redis keys: lower-case letters and dashes. */
  name: string;
  quota: number;
  windowSeconds: number;
}

/** A limiter's verdict on one request. `away`: Redis is out of reach, so nothing was counted. */
export type Verdict =
  | { outcome: 'allowed' | 'refused'; remaining: number; resetSeconds: number }
  | { outcome: 'away'; cause: unknown };

/** Counts one request of `key`. Never throws. Made once per isolate. */
export interface Limiter {
  policy: LimitPolicy;
  take(key: string): Promise<Verdict>;
}

/** A limiter whose requests may weigh more than one. `count` is at most the quota. */
export interface WeighingLimiter extends Limiter {
  take(key: string, count?: number): Promise<Verdict>;
}

/** A limiter that can take back a request which doesn't count after all, such as a right password. Never throws. */
export interface UndoableLimiter extends Limiter {
  undo(key: string): Promise<void>;
}

/** Whole seconds until `resetMs` (epoch milliseconds). At least 1, so that a waiting client returns after the reset. */
export const secondsUntil = (resetMs: number, nowMs: number): number =>
  Math.max(1, Math.ceil((resetMs - nowMs) / 1000));
