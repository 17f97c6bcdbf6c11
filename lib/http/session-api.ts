import { sessionCookieOf } from '../accounts/auth/session-cookie.ts';
import { findSession } from '../accounts/find-session.ts';
import { connectStores, type StoresEnv } from './connect-stores.ts';
import type { Limiter, LimitPolicy } from './limiter.ts';
import { originGate } from './origin-gate.ts';
import { rateLimit } from './rate-limit.ts';
import { redisLimiter } from './redis-limiter.ts';
import { type SessionResources, type SessionVariables, sessionGate } from './session-gate.ts';

/** What an API behind sessions makes once an isolate: its database, its limit by person, and who is signed in. */
export function createSessionApi(env: StoresEnv & { PUBLIC_URL: string }, policy: LimitPolicy) {
  const { sql, redis } = connectStores(env);
  return {
    sql,
    redis,
    /** Of the service's own pages, the only ones that may ask. */
    origin: new URL(env.PUBLIC_URL).origin,
    limiter: redisLimiter(redis, policy),
    sessions: {
      cookie: sessionCookieOf(env.PUBLIC_URL),
      find: (value: string) => findSession({ sql }, value),
    },
  };
}

/** What stands before everything of it: a session's cookie would come along with what other sites' pages ask. */
export const ownOrigin = <Resources extends { origin: string }>() =>
  originGate<{ Variables: { resources: Resources } }>({
    allowed: (c) => [c.var.resources.origin],
    headers: ['Content-Type'],
  });

/** What stands before its routes: who is signed in, then their limit. */
export const sessionGuards = <Resources extends SessionResources & { limiter: Limiter }>() => ({
  gate: sessionGate<Resources>(),
  limit: rateLimit<{ Variables: SessionVariables & { resources: Resources } }>({
    limiter: (c) => c.var.resources.limiter,
    key: (c) => c.var.actor.userId,
    whenAway: 'refuse',
  }),
});
