import type { ProjectContext } from '../../lib/audit.ts';
import type { ActorOf, Context, MemberActor } from '../../lib/context.ts';
import { connectReplica } from '../../lib/http/connect-stores.ts';
import type { Passed } from '../../lib/http/doors.ts';
import { memberDoor, sessionDoor } from '../../lib/http/known-doors.ts';
import { createMemberApi } from '../../lib/http/member-api.ts';
import type { Env } from './env.ts';

export type Resources = ReturnType<typeof createResources>;

/** Makes the function's resources, once per isolate. */
export const createResources = (env: Env) => ({ ...createMemberApi(env), replica: connectReplica(env) });

/** The verbs' context, from the request and the isolate. */
const contextOf = (c: Passed<Resources, ActorOf<'session'>>): ProjectContext => {
  const { actor, call, resources } = c.var;
  return {
    ...call,
    actor,
    sql: c.req.method === 'GET' ? resources.reportSql : resources.sql,
    replica: resources.replica,
    now: Date.now,
    countReports: resources.questions.ofPerson(c, actor.userId),
  };
};

export const people = sessionDoor(contextOf);

/** For verbs that only read. */
export const members = memberDoor((c: Passed<Resources, MemberActor>): Context<MemberActor> => {
  const { actor, resources } = c.var;
  return {
    actor,
    sql: resources.reportSql,
    replica: resources.replica,
    now: Date.now,
    countReports: resources.questions.ofPerson(c, actor.userId),
  };
});
