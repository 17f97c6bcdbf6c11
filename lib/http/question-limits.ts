import type { Context } from 'hono';
import type { CountReports } from '../context.ts';
import type { Redis } from '../redis.ts';
import { isolateLimiter } from './isolate-limiter.ts';
import type { LimitPolicy } from './limiter.ts';
import { laterOf, requireAllowed } from './rate-limit.ts';
import { sharedCount } from './redis-limiter.ts';

/** Limits for what requests ask of the database: a batch of N reports counts N (docs/limits.md#questions). */

/** Reports and questions about telemetry per person, by all sessions, API keys and query tokens together. */
export const REPORTS_OF_PERSON = { name: 'reports', quota: 1200, windowSeconds: 60 } as const;
/** Reports per share and address. */
export const REPORTS_OF_SHARE = { name: 'shared-reports', quota: 600, windowSeconds: 60 } as const;

/**
 * What an isolate books at once: a batch costs a command to Redis, single reports one in 16. More would let isolates that were asked once
 * hold what other isolates need.
 */
const CHUNK = 16;

/** Counts reports by person, or by share and address. Made once per isolate. While Redis is slow or away each isolate keeps the quota alone. */
export function createQuestionLimits(redis: Redis) {
  const limited = (policy: LimitPolicy) => {
    // Nothing is free, so that all isolates together keep the quota.
    const limiter = isolateLimiter({ policy, shared: sharedCount(redis, policy), free: 0, chunk: CHUNK });
    return (c: Context, key: string): CountReports =>
      async (count) =>
        requireAllowed(await limiter.take(key, 'count-here', { ...laterOf(c), count }));
  };
  return { ofPerson: limited(REPORTS_OF_PERSON), ofShare: limited(REPORTS_OF_SHARE) };
}
