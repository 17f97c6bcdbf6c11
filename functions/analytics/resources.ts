import type { MemberContext } from '../../lib/context.ts';
import { createCursors } from '../../lib/cursor.ts';
import type { ApiTokenActor } from '../../lib/http/api-token-gate.ts';
import { createMemberApi } from '../../lib/http/member-api.ts';
import type { Env } from './env.ts';

/** Specification, "Limits": analytics queries, by token. */
const QUERIES = { name: 'analytics', quota: 100, windowSeconds: 60 };

export type Resources = ReturnType<typeof createResources>;

/** What the function makes once an isolate. */
export function createResources(env: Env) {
  return { ...createMemberApi(env, QUERIES), cursors: createCursors(env.CURSOR_KEY) };
}

/** What a verb gets of the request and of the isolate. */
export function contextOf(c: {
  var: Readonly<{ actor: ApiTokenActor; resources: Resources }>;
}): MemberContext {
  const { actor, resources } = c.var;
  return { actor, sql: resources.sql, now: Date.now };
}
