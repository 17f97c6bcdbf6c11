/** The sessions of a person. */
import type { SessionContext } from '../context.ts';
import { reach, type Sql } from '../db.ts';
import { DomainError, notFound } from '../errors.ts';
import type { OneSession, Session } from './auth/schemas.ts';

interface SessionRow {
  id: string;
  browser: string | null;
  os: string | null;
  created_at: Date;
  expires_at: Date;
}

export const notSignedIn = (): DomainError =>
  new DomainError('UNAUTHORIZED', 'Sign in at `/api/auth/sign-in`.');

/**
 * Part of other statements: the caller's session, which can't end before the statement does. Whatever ends sessions therefore also finds
 * what the statement made. Uses the primary key.
 */
export const heldSession = ({ sql, actor }: SessionContext): ReturnType<Sql> => sql`
  select user_id from user_sessions where id = ${actor.sessionId}::uuid and expires_at > now() for key share`;

/** The caller's sessions, newest first. Uses the index `user_sessions_user`. */
export async function listSessions(ctx: SessionContext): Promise<Session[]> {
  const rows = await reach(ctx.sql`
    select id, browser, os, created_at, expires_at from user_sessions
    where user_id = ${ctx.actor.userId} and expires_at > now() order by created_at desc, id limit 200`);
  return (rows as SessionRow[]).map(({ id, browser, os, created_at, expires_at }) => ({
    id,
    browser,
    os,
    current: id === ctx.actor.sessionId,
    createdAt: created_at.toISOString(),
    expiresAt: expires_at.toISOString(),
  }));
}

/** Ends one of the caller's sessions. The session's next request is refused. Throws `NOT_FOUND`. Uses the primary key. */
export async function revokeSession(ctx: SessionContext, { sessionId }: OneSession): Promise<void> {
  const rows = await reach(ctx.sql`
    delete from user_sessions where id = ${sessionId} and user_id = ${ctx.actor.userId} returning id`);
  if (rows.length === 0) throw notFound('session');
}

/**
 * Ends all of the caller's sessions except the current one, mailed links that reset the password, and sign-ins that wait for a code. Uses
 * the indexes `user_sessions_user` and `user_verifications_value`.
 */
export async function revokeOtherSessions(ctx: SessionContext): Promise<void> {
  const { userId, sessionId } = ctx.actor;
  await reach(ctx.sql`
    with ended as (delete from user_sessions where user_id = ${userId} and id <> ${sessionId})
    delete from user_verifications where value = ${userId}`);
}
