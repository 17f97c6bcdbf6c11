import type { Context, MiddlewareHandler } from 'hono';
import type { ActorOf, CountReports, MemberActor } from '../context.ts';
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
  resources: {
    limiterOf: (policy: LimitPolicy) => Limiter;
    questions?: { ofPerson: (c: Context, userId: string) => CountReports };
  };
  /** Reports that `limitCaller` has counted. */
  reportsCounted: number;
}

/** Counts the reports beyond those that `limitCaller` has counted. */
export function countBeyond(counted: number, count: CountReports): CountReports {
  let left = counted;
  return async (reports) => {
    const more = Math.max(0, reports - left);
    left = Math.max(0, left - reports);
    if (more > 0) await count(more);
  };
}

/**
 * Counts a request of a known caller, by person: all API keys or query tokens share the contract's limit, all sessions those of sessions.
 * More keys give no more requests. While Redis is away reads are counted in the isolate and all else is refused. The client sends what
 * begins at the same moment as one request, so reports that are counted here cost no round trip of their own.
 */
export function limitCaller({
  method,
  limit,
  reportsAsked,
}: RouteContract): MiddlewareHandler<{ Variables: LimitedVariables }> {
  return async function limitCaller(c, next) {
    const { actor, resources } = c.var;
    const asked = reportsAsked?.(new URL(c.req.url).searchParams) ?? 0;
    const policy = actor.kind === 'session' ? sessionLimit(method) : limit;
    const counting = asked > 0 ? resources.questions?.ofPerson(c as Context, actor.userId)(asked) : undefined;
    // Both must have ended, and the request's own limit refuses first.
    const [ofRequests, ofReports] = await Promise.allSettled([
      policy === null
        ? undefined
        : enforceLimit(c as Context, resources.limiterOf(policy), actor.userId, withoutAnswer(method)),
      counting,
    ]);
    for (const ended of [ofRequests, ofReports]) if (ended.status === 'rejected') throw ended.reason;
    c.set('reportsCounted', counting === undefined ? 0 : asked);
    await next();
  };
}

const withoutAnswer = (method: RouteContract['method']): WithoutAnswer =>
  method === 'GET' ? 'count-here' : 'count-here-if-slow';
