import type { Context, MemberActor, ReaderActor } from '../../lib/context.ts';
import { type Cursors, createCursors } from '../../lib/cursor.ts';
import { rememberTokens } from '../../lib/http/api-token-gate.ts';
import { addressKeys } from '../../lib/http/client-address.ts';
import type { Passed } from '../../lib/http/doors.ts';
import { memberDoor } from '../../lib/http/known-doors.ts';
import { createMemberApi } from '../../lib/http/member-api.ts';
import { findShare } from '../../lib/shares/find-share.ts';
import { createUnlockTokens } from '../../lib/shares/unlock-tokens.ts';
import type { Env } from './env.ts';

export type Resources = ReturnType<typeof createResources>;

/** Makes the function's resources, once per isolate. */
export function createResources(env: Env) {
  const api = createMemberApi(env);
  return {
    ...api,
    cursors: createCursors(env.CURSOR_KEY),
    addressKey: addressKeys(env.ADDRESS_KEY),
    shares: rememberTokens({ find: (hash) => findShare(api, hash) }),
    unlockTokens: createUnlockTokens(env.SHARE_KEY),
  };
}

/** The verbs' context, from the request and the isolate. */
export const contextFor = <A extends ReaderActor>(
  { sql, cursors }: Resources,
  actor: A,
): Context<A> & { cursors: Cursors } => ({ actor, sql, cursors, now: Date.now });

export const members = memberDoor(({ var: { call, actor, resources } }: Passed<Resources, MemberActor>) => ({
  ...call,
  ...contextFor(resources, actor),
}));
