import type { Context, MiddlewareHandler } from 'hono';
import type { ActorOf, MemberActor } from '../context.ts';
import type { Redis } from '../redis.ts';
import type { RouteContract } from './contract.ts';
import type { Limiter, LimitPolicy, UndoableLimiter } from './limiter.ts';
import { enforceLimit } from './rate-limit.ts';
import { redisLimiter } from './redis-limiter.ts';
import { sessionLimit } from './session-limits.ts';

/** Returns the limiter of a policy and makes it at the first use. Made once per isolate. */
export function createLimiters(redis: Redis): (policy: LimitPolicy) => UndoableLimiter {
  const made = new Map<string, UndoableLimiter>();
  return (policy) => {
    const limiter = made.get(policy.name) ?? redisLimiter(redis, policy);
    made.set(policy.name, limiter);
    return limiter;
  };
}

interface LimitedVariables {
  actor: MemberActor | ActorOf<'queryToken'>;
  resources: { limiterOf: (policy: LimitPolicy) => Limiter };
}

/**
 * Counts a request of a known caller, by person: all API keys or query tokens share the contract's limit, all sessions those of sessions.
 * More keys give no more requests. Refuses every request while Redis is away.
 */
export function limitCaller({
  method,
  limit,
}: RouteContract): MiddlewareHandler<{ Variables: LimitedVariables }> {
  return async function limitCaller(c, next) {
    const { actor, resources } = c.var;
    if (actor.kind === 'session')
      await enforceLimit(c as Context, resources.limiterOf(sessionLimit(method)), actor.userId, 'refuse');
    if (actor.kind !== 'session' && limit !== null)
      await enforceLimit(c as Context, resources.limiterOf(limit), actor.userId, 'refuse');
    await next();
  };
}
