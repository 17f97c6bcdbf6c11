import type { Context, MiddlewareHandler } from 'hono';
import type { ActorOf, MemberActor } from '../context.ts';
import type { Redis } from '../redis.ts';
import type { RouteContract } from './contract.ts';
import type { Limiter, LimitPolicy, WithoutAnswer } from './limiter.ts';
import { enforceLimit } from './rate-limit.ts';
import { redisLimiter } from './redis-limiter.ts';
import { sessionLimit } from './session-limits.ts';

/** Returns the limiter of a policy and makes it at the first use. Made once per isolate. */
export function createLimiters(redis: Redis): (policy: LimitPolicy) => Limiter {
  const made = new Map<string, Limiter>();
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
 * More keys give no more requests. While Redis is away reads are counted in the isolate and all else is refused.
 */
export function limitCaller({
  method,
  limit,
}: RouteContract): MiddlewareHandler<{ Variables: LimitedVariables }> {
  return async function limitCaller(c, next) {
    const { actor, resources } = c.var;
    const policy = actor.kind === 'session' ? sessionLimit(method) : limit;
    if (policy !== null)
      await enforceLimit(c as Context, resources.limiterOf(policy), actor.userId, withoutAnswer(method));
    await next();
  };
}

const withoutAnswer = (method: RouteContract['method']): WithoutAnswer =>
  method === 'GET' ? 'count-here' : 'count-here-if-slow';
