import type { Actor, Ports } from '../context.ts';
import { reach } from '../db.ts';
import { hashToken } from '../tokens.ts';

export type SessionActor = Extract<Actor, { kind: 'session' }>;

/** The value of a session's cookie: the token, and the signature that the library appends. */
const SHAPE = /^([A-Za-z0-9]{32})\.[A-Za-z0-9+/]{43}=$/;

/**
 * The person of a session's cookie, from the raw cookie value; undefined for an ended or unknown session. The token alone has 190 random
 * bits, so the signature isn't checked and no secret is needed. One lookup by the unique index on `hash`; doesn't prolong the session.
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
