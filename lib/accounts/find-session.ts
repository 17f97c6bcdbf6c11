import type { Actor, Ports } from '../context.ts';
import { reach } from '../db.ts';
import { hashToken } from '../tokens.ts';

export type SessionActor = Extract<Actor, { kind: 'session' }>;

/** A session's cookie: its token, and the signature that the library puts behind it. */
const SHAPE = /^([A-Za-z0-9]{32})\.[A-Za-z0-9+/]{43}=$/;

/**
 * Who is signed in by a session's cookie, as the cookie's value came; undefined for one that ended or never was. The token's 190
 * random bits are what is believed, so the signature isn't checked and no secret is needed. One look-up by the unique index
 * on `hash`; it doesn't prolong the session.
 */
export async function findSession(
  ctx: Pick<Ports, 'sql'>,
  cookie: string,
): Promise<SessionActor | undefined> {
  const token = SHAPE.exec(cookie)?.[1];
  if (token === undefined) return undefined;
  const [row] = await reach(ctx.sql`
    select id, user_id from user_sessions
    where hash = decode(${await hashToken(token)}, 'hex') and expires_at > now()`);
  return row && { kind: 'session', sessionId: row.id, userId: row.user_id };
}
