/** A quota on a surface: `quota` requests in each window of `windowSeconds`. */
export interface LimitPolicy {
  /** In the `RateLimit` headers and the Redis keys: lower-case letters and dashes. */
  name: string;
  quota: number;
  windowSeconds: number;
}

/** What a limiter says of one request. `away`: nobody could count, because Redis is out of reach. */
export type Verdict =
  | { outcome: 'allowed' | 'refused'; remaining: number; resetSeconds: number }
  | { outcome: 'away'; cause: unknown };

/** Counts one request of `key`. Never throws. Made once an isolate. */
export interface Limiter {
  policy: LimitPolicy;
  take(key: string): Promise<Verdict>;
}

/** Whole seconds until `resetMs` (epoch milliseconds), at least 1 so that whoever waits comes back after the reset. */
export const secondsUntil = (resetMs: number, nowMs: number): number =>
  Math.max(1, Math.ceil((resetMs - nowMs) / 1000));
