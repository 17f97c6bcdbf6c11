import { sessionCookieOf } from '../accounts/auth/session-cookie.ts';
import { findSession } from '../accounts/find-session.ts';
import { connectStores, type StoresEnv } from './connect-stores.ts';
import { createLimiters } from './limits.ts';
import { originGate } from './origin-gate.ts';

/** What an API behind sessions makes once an isolate: its database, its limits, and who is signed in. */
export function createSessionApi(env: StoresEnv & { PUBLIC_URL: string }) {
  const { sql, redis } = connectStores(env);
  return {
    sql,
    redis,
    /** Where browsers reach the service, without a final slash. */
    publicUrl: env.PUBLIC_URL.replace(/\/+$/, ''),
    /** Of the service's own pages, the only ones that may ask. */
    origin: new URL(env.PUBLIC_URL).origin,
    limiterOf: createLimiters(redis),
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
