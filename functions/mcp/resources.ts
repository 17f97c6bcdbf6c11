import { findQueryToken } from '../../lib/accounts/find-query-token.ts';
import { createCursors } from '../../lib/cursor.ts';
import { DEADLINES_MS } from '../../lib/db.ts';
import { createLimiters } from '../../lib/http/caller-limits.ts';
import { connectReplica, connectSql, connectStores } from '../../lib/http/connect-stores.ts';
import { guardLookUps } from '../../lib/http/look-ups.ts';
import { createQuestionLimits } from '../../lib/http/question-limits.ts';
import { rememberOwners, TOKEN_FRESH_MS } from '../../lib/http/remember-owners.ts';
import type { Env } from './env.ts';

export type Resources = ReturnType<typeof createResources>;

/** Makes the function's resources, once per isolate. */
export function createResources(env: Env) {
  const { sql, redis } = connectStores(env, DEADLINES_MS.management);
  return {
    /** For statements that may take as long as a report. */
    reportSql: connectSql(env, DEADLINES_MS.reports),
    replica: connectReplica(env),
    /** The origin of the service's own pages. Only these pages may send requests. */
    origin: new URL(env.PUBLIC_URL).origin,
    cursors: createCursors(env.CURSOR_KEY),
    limiterOf: createLimiters(redis),
    questions: createQuestionLimits(redis),
    queryTokens: rememberOwners({
      guard: guardLookUps(),
      find: (hash) => findQueryToken({ sql }, hash),
      freshMs: TOKEN_FRESH_MS,
    }),
  };
}
