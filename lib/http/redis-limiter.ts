import type { Redis } from '../redis.ts';
import { isolateLimiter, type SharedCount } from './isolate-limiter.ts';
import type { Limiter, LimitPolicy } from './limiter.ts';
import { slidingWindow } from './sliding-window.ts';

/** The shared count for `isolateLimiter`. Throws when Redis is away or answers something that isn't a count. */
export function sharedCount(redis: Redis, policy: LimitPolicy, now?: () => number): SharedCount {
  const counter = slidingWindow(redis, policy, now);
  return async (key, rate) => {
    const { success, remaining, reset } = await counter.limit(key, { rate });
    return { success, remaining, reset };
  };
}

/** Exact across isolates: one Redis command per request, none for a key that was refused until it may pass again. */
export const redisLimiter = (redis: Redis, policy: LimitPolicy, now: () => number = Date.now): Limiter =>
  isolateLimiter({ policy, shared: sharedCount(redis, policy, now), free: 0, chunk: 1, now });
