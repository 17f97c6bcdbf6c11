import { Ratelimit } from '@upstash/ratelimit';
import type { Redis } from '../redis.ts';
import { type Limiter, type LimitPolicy, secondsUntil } from './limiter.ts';

const MAX_BLOCKED = 10_000;

/** The library remembers blocked keys in a map that it never empties; this one starts anew when full. */
class BoundedMap extends Map<string, number> {
  override set(key: string, value: number): this {
    if (this.size >= MAX_BLOCKED) this.clear();
    return super.set(key, value);
  }
}

/**
 * A fixed-window counter in Redis. `timeout: 0` switches off the library's own timeout, which lets requests pass in
 * silence: here the client's bounded attempt fails, and the surface decides.
 */
export function fixedWindow(redis: Redis, policy: LimitPolicy): Ratelimit {
  return new Ratelimit({
    redis,
    limiter: Ratelimit.fixedWindow(policy.quota, `${policy.windowSeconds} s`),
    prefix: `limit:${policy.name}`,
    timeout: 0,
    ephemeralCache: new BoundedMap(),
  });
}

/** Exact across isolates: one Redis command a request, none for a key already refused in its window. */
export function redisLimiter(redis: Redis, policy: LimitPolicy): Limiter {
  const counter = fixedWindow(redis, policy);
  return {
    policy,
    async take(key) {
      try {
        const { success, remaining, reset } = await counter.limit(key);
        const resetSeconds = secondsUntil(reset, Date.now());
        return { outcome: success ? 'allowed' : 'refused', remaining, resetSeconds };
      } catch (cause) {
        return { outcome: 'away', cause };
      }
    },
  };
}
