import { sessionCookieOf } from '../accounts/auth/session-cookie.ts';
import { findSession } from '../accounts/find-session.ts';
import { connectStores, type StoresEnv } from './connect-stores.ts';
import { createLimiters } from './limits.ts';
import { originGate } from './origin-gate.ts';

/** Makes the resources of an API behind sessions, once per isolate: the database, the limits and the session lookup. */
export function createSessionApi(env: StoresEnv & { PUBLIC_URL: string }) {
  const { sql, redis } = connectStores(env);
  return {
    sql,
    redis,
    /** The address that browsers use, without a final slash. */
    publicUrl: env.PUBLIC_URL.replace(/\/+$/, ''),
    /** The origin of the service's own pages. Only these pages may send requests. */
    origin: new URL(env.PUBLIC_URL).origin,
    limiterOf: createLimiters(redis),
    sessions: {
      cookie: sessionCookieOf(env.PUBLIC_URL),
      find: (value: string) => findSession({ sql }, value),
    },
  };
}

/** Runs before every route of a session API, because browsers send the session's cookie with requests of other sites' pages too. */
export const ownOrigin = <Resources extends { origin: string }>() =>
  originGate<{ Variables: { resources: Resources } }>({
    allowed: (c) => [c.var.resources.origin],
    headers: ['Content-Type'],
  });
