import type { Actor, Ports } from '../context.ts';
import { reachToRead } from '../db.ts';
import { hashToken } from '../tokens.ts';

export type SessionActor = Extract<Actor, { kind: 'session' }>;

export interface FoundSession {
  actor: SessionActor;
  /** The person's e-mail address is confirmed. */
  isConfirmed: boolean;
}

/** The value of a session's cookie: the token, and the signature that the library appends. */
const SHAPE = /^([A-Za-z0-9]{32})\.[A-Za-z0-9+/]{43}=$/;

/**
 * The person of a session's cookie, from the raw cookie value; undefined for an ended or unknown session. The token alone has 190 random
 * bits, so the signature isn't checked and no secret is needed. Uses the unique index on `hash` and a primary key; doesn't prolong the
 * session.
 */
export async function findSession(
  ctx: Pick<Ports, 'sql'>,
  cookie: string,
): Promise<FoundSession | undefined> {
  const token = SHAPE.exec(cookie)?.[1];
  if (token === undefined) return undefined;
  const [row] = await reachToRead(ctx.sql`
    select session.id, session.user_id, person.email_verified
    from user_sessions session join users person on person.id = session.user_id
    where session.hash = decode(${await hashToken(token)}, 'hex') and session.expires_at > now()`);
  return (
    row && {
      actor: { kind: 'session', sessionId: row.id, userId: row.user_id },
      isConfirmed: row.email_verified,
    }
  );
}
