import type { Context, MiddlewareHandler } from 'hono';
import type { Actor } from '../context.ts';
import type { Redis } from '../redis.ts';
import type { RouteContract } from './contract.ts';
import type { Limiter, LimitPolicy } from './limiter.ts';
import { enforceLimit } from './rate-limit.ts';
import { redisLimiter } from './redis-limiter.ts';
import { sessionLimit } from './session-limits.ts';

/** The limiter of each policy, made when it is first asked for. Made once an isolate. */
export function createLimiters(redis: Redis): (policy: LimitPolicy) => Limiter {
  const made = new Map<string, Limiter>();
  return (policy) => {
    const limiter = made.get(policy.name) ?? redisLimiter(redis, policy);
    made.set(policy.name, limiter);
    return limiter;
  };
}

interface LimitedVariables {
  actor: Extract<Actor, { kind: 'apiToken' | 'session' | 'share' }>;
  resources: { limiterOf: (policy: LimitPolicy) => Limiter };
}

/**
 * Counts a request of a known caller: an API token's by the contract's limit, a session's by person, and a share's not again, because
 * its own route counts it. Refuses everybody while Redis is away.
 */
export function limitCaller({
  method,
  limit,
}: RouteContract): MiddlewareHandler<{ Variables: LimitedVariables }> {
  return async function limitCaller(c, next) {
    const { actor, resources } = c.var;
    if (actor.kind === 'session')
      await enforceLimit(c as Context, resources.limiterOf(sessionLimit(method)), actor.userId, 'refuse');
    if (actor.kind === 'apiToken' && limit !== null)
      await enforceLimit(c as Context, resources.limiterOf(limit), actor.tokenId, 'refuse');
    await next();
  };
}
