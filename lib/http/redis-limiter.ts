import type { Redis } from '../redis.ts';
import type { SharedCount } from './isolate-limiter.ts';
import { type LimitPolicy, secondsUntil, type UndoableLimiter } from './limiter.ts';
import { slidingWindow } from './sliding-window.ts';

/**
 * The shared count for `isolateLimiter`, which remembers refused keys itself. Throws when Redis is away or answers something that isn't a
 * count.
 */
export function sharedCount(redis: Redis, policy: LimitPolicy, now?: () => number): SharedCount {
  const counter = slidingWindow(redis, policy, { rememberBlocked: false, ...(now && { now }) });
  return async (key, rate) => {
    const { success, remaining, reset } = await counter.limit(key, { rate });
    return { success, remaining, reset };
  };
}

/** Exact across isolates: one Redis command per request, none for a key that was refused until it may pass again. */
export function redisLimiter(
  redis: Redis,
  policy: LimitPolicy,
  now: () => number = Date.now,
): UndoableLimiter {
  const counter = slidingWindow(redis, policy, { rememberBlocked: true, now });
  return {
    policy,
    async take(key) {
      try {
        const { success, remaining, reset } = await counter.limit(key);
        return {
          outcome: success ? 'allowed' : 'refused',
          remaining,
          resetSeconds: secondsUntil(reset, now()),
        };
      } catch (cause) {
        return { outcome: 'away', cause };
      }
    },
    async undo(key) {
      await counter.limit(key, { rate: -1 }).catch(() => {});
    },
  };
}
