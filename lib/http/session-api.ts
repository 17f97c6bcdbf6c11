import { sessionCookieOf } from '../accounts/auth/session-cookie.ts';
import { findSession } from '../accounts/find-session.ts';
import { DEADLINES_MS } from '../db.ts';
import { createLimiters } from './caller-limits.ts';
import { connectSql, connectStores, type StoresEnv } from './connect-stores.ts';
import { guardLookUps } from './look-ups.ts';
import { originGate } from './origin-gate.ts';
import { createQuestionLimits } from './question-limits.ts';
import { rememberOwners } from './remember-owners.ts';

/** Makes the resources of an API behind sessions, once per isolate: the database, the limits and the session lookup. */
export function createSessionApi(env: StoresEnv & { PUBLIC_URL: string }) {
  const { sql, redis } = connectStores(env, DEADLINES_MS.management);
  const guard = guardLookUps();
  return {
    sql,
    /** For statements that may take as long as a report. */
    reportSql: connectSql(env, DEADLINES_MS.reports),
    redis,
    /** The address that browsers use, without a final slash. */
    publicUrl: env.PUBLIC_URL.replace(/\/+$/, ''),
    /** The origin of the service's own pages. Only these pages may send requests. */
    origin: new URL(env.PUBLIC_URL).origin,
    limiterOf: createLimiters(redis),
    questions: createQuestionLimits(redis),
    guard,
    sessions: {
      cookie: sessionCookieOf(env.PUBLIC_URL),
      find: rememberOwners({ guard, find: (_, value) => findSession({ sql }, value) }),
    },
  };
}

/** Runs before every route of a session API, because browsers send the session's cookie with requests of other sites' pages too. */
export const ownOrigin = <Resources extends { origin: string }>() =>
  originGate<{ Variables: { resources: Resources } }>({
    allowed: (c) => [c.var.resources.origin],
    headers: ['Content-Type'],
  });
