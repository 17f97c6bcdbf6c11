/** The doors of known callers. They need the database, which other functions don't have. */
import type { Context, MiddlewareHandler } from 'hono';
import { auditAttempt } from '../audit.ts';
import type { ActorOf, MemberActor } from '../context.ts';
import type { Sql } from '../db.ts';
import { idFrom } from '../id-from.ts';
import { afterwards } from './afterwards.ts';
import { limitCaller } from './caller-limits.ts';
import type { Door, Limited, Passed, Refusal } from './doors.ts';
import { causesOf, logToConsole } from './log.ts';
import { type MemberResources, memberGate } from './member-gate.ts';
import { type SessionResources, sessionGate } from './session-gate.ts';

/** For owners of API tokens and for people who are signed in. */
export const memberDoor = <Resources extends MemberResources & Limited, Ctx>(
  context: (c: Passed<Resources, MemberActor>) => Ctx,
): Door<'member', Passed<Resources, MemberActor>, Ctx> => ({
  auth: 'member',
  guards: (contract) => [memberGate(contract), limitCaller(contract)] as MiddlewareHandler[],
  context,
  noteRefusal,
});

/** For people who are signed in. */
export const sessionDoor = <Resources extends SessionResources & Limited, Ctx>(
  context: (c: Passed<Resources, ActorOf<'session'>>) => Ctx,
): Door<'session', Passed<Resources, ActorOf<'session'>>, Ctx> => ({
  auth: 'session',
  guards: (contract) => [sessionGate(contract), limitCaller(contract)] as MiddlewareHandler[],
  context,
  noteRefusal,
});

/** Writes the audit log's line of a call that named a site or a project. The caller gets the error also if the line can't be written. */
async function noteRefusal(c: Context, { action, call, result }: Refusal): Promise<void> {
  const actor = c.get('actor') as ActorOf<'apiToken' | 'session'>;
  const { sql } = c.get('resources') as { sql: Sql };
  const ids = { siteId: idFrom(c.req.param('siteId')), projectId: idFrom(c.req.param('projectId')) };
  if (ids.siteId === undefined && ids.projectId === undefined) return;
  const noted = auditAttempt({ ...call, sql, actor, now: Date.now }, { action, ...ids, result }).catch(
    (fault) =>
      logToConsole({
        level: 'error',
        function: call.tool,
        event: 'audit',
        requestId: call.requestId,
        causes: causesOf(fault),
      }),
  );
  // The caller has waited for the database once already.
  if (result === 'UNAVAILABLE') afterwards(c, call.tool, noted);
  else await noted;
}
