import type { Context, CountReports, MemberActor, ReaderActor } from '../../lib/context.ts';
import { type Cursors, createCursors } from '../../lib/cursor.ts';
import { afterwards } from '../../lib/http/afterwards.ts';
import { countBeyond } from '../../lib/http/caller-limits.ts';
import { addressKeys } from '../../lib/http/client-address.ts';
import { connectReplica } from '../../lib/http/connect-stores.ts';
import type { Passed } from '../../lib/http/doors.ts';
import { memberDoor } from '../../lib/http/known-doors.ts';
import { createMemberApi } from '../../lib/http/member-api.ts';
import { rememberOwners, TOKEN_FRESH_MS } from '../../lib/http/remember-owners.ts';
import { findShare } from '../../lib/shares/find-share.ts';
import { createUnlockTokens } from '../../lib/shares/unlock-tokens.ts';
import type { Env } from './env.ts';

export type Resources = ReturnType<typeof createResources>;

/** Makes the function's resources, once per isolate. */
export function createResources(env: Env) {
  const api = createMemberApi(env);
  return {
    ...api,
    replica: connectReplica(env),
    cursors: createCursors(env.CURSOR_KEY),
    addressKey: addressKeys(env.ADDRESS_KEY),
    shares: rememberOwners({
      guard: api.guard,
      find: (hash) => findShare(api, hash),
      freshMs: TOKEN_FRESH_MS,
    }),
    unlockTokens: createUnlockTokens(env.SHARE_KEY),
  };
}

/** The context of verbs that read. */
export const readingContext = <A extends ReaderActor>(
  { reportSql, replica, cursors }: Resources,
  actor: A,
  countReports: CountReports,
): Context<A> & { cursors: Cursors } => ({
  ...{ actor, sql: reportSql, replica, cursors, countReports },
  now: Date.now,
});

export const members = memberDoor((c: Passed<Resources, MemberActor>) => {
  const { call, actor, resources, reportsCounted = 0 } = c.var;
  const count = countBeyond(reportsCounted, resources.questions.ofPerson(c, actor.userId));
  return {
    ...call,
    ...readingContext(resources, actor, count),
    afterwards: (work: Promise<unknown>) => afterwards(c, 'analytics', work),
    ...(c.req.method !== 'GET' && { sql: resources.sql }),
  };
});
