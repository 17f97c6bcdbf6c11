import { Ratelimit } from '@upstash/ratelimit';
import type { Redis } from '../redis.ts';
import type { SharedCount } from './isolate-limiter.ts';
import { type Limiter, type LimitPolicy, secondsUntil } from './limiter.ts';

const MAX_BLOCKED = 10_000;

/** The library remembers blocked keys in a map that it never empties. This map clears itself when it is full. */
class BoundedMap extends Map<string, number> {
  override set(key: string, value: number): this {
    if (this.size >= MAX_BLOCKED) this.clear();
    return super.set(key, value);
  }
}

/**
 * A fixed-window counter in Redis. `timeout: 0` disables the library's timeout, which passes requests silently. Instead the client's
 * bounded attempt fails and the surface decides. `refused`: keys that aren't asked for again.
 */
function fixedWindow(redis: Redis, policy: LimitPolicy, refused: BoundedMap | false): Ratelimit {
  return new Ratelimit({
    redis,
    limiter: Ratelimit.fixedWindow(policy.quota, `${policy.windowSeconds} s`),
    prefix: `limit:${policy.name}`,
    timeout: 0,
    ephemeralCache: refused,
  });
}

/**
 * The shared count for `isolateLimiter`, which remembers refused keys itself. Throws when Redis is away or answers something that isn't a
 * count, because the library would then refuse every request.
 */
export function sharedCount(redis: Redis, policy: LimitPolicy): SharedCount {
  const counter = fixedWindow(redis, policy, false);
  return async (key, rate) => {
    const { success, limit, remaining, reset } = await counter.limit(key, { rate });
    if (limit !== policy.quota || !Number.isSafeInteger(remaining)) {
      throw new Error('Redis answered something that is no count.');
    }
    return { success, remaining, reset };
  };
}

/** Exact across isolates: one Redis command per request, none for a key that was already refused in its window. */
export function redisLimiter(redis: Redis, policy: LimitPolicy): Limiter {
  const counter = fixedWindow(redis, policy, new BoundedMap());
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
