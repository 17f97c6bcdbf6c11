/**
 * Proofs: before something that a stolen session must not do, the person proves again who they are, by a code of the second factor or,
 * without one, by the password (docs/accounts.md#proofs).
 */
import type { Context, MemberActor, SessionContext } from '../context.ts';
import { reach, reachToRead } from '../db.ts';
import { DomainError } from '../errors.ts';

/** How long a proof counts. */
const FRESH_MINUTES = 10;

/**
 * Throws `FORBIDDEN` if the session's last proof is older than 10 minutes. The sign-in is a proof too. API tokens need none: programs
 * can't give one, and their person decided what a token opens. Uses the primary key.
 */
export async function requireProof({ sql, actor }: Context<MemberActor>): Promise<void> {
  if (actor.kind !== 'session') return;
  const rows = await reachToRead(sql`
    select from user_sessions
    where id = ${actor.sessionId}::uuid
      and coalesce(proven_at, created_at) > now() - make_interval(mins => ${FRESH_MINUTES}::integer)`);
  if (rows.length === 0) throw notProven();
}

/** The same for a call that brings the password: only people with a second factor need a proof beside it. */
export async function requireCode(ctx: SessionContext): Promise<void> {
  if (await hasSecondFactor(ctx)) await requireProof(ctx);
}

const notProven = (): DomainError =>
  new DomainError(
    'FORBIDDEN',
    'Prove first who you are: send a code of your second factor, or your password if you have none, to `/api/auth/proof`. Then repeat this.',
  );

/** Whether the caller signs in with a second factor. Uses the primary key. */
export async function hasSecondFactor({ sql, actor }: SessionContext): Promise<boolean> {
  const [row] = await reachToRead(sql`select second_factor from users where id = ${actor.userId}::uuid`);
  return row?.second_factor === true;
}

/** Notes that the caller proved who they are. Uses the primary key. */
export async function noteProof({ sql, actor }: SessionContext): Promise<void> {
  await reach(sql`update user_sessions set proven_at = now() where id = ${actor.sessionId}::uuid`);
}

/** Voids the proofs of all of the caller's sessions: a password alone counts no more. Uses the index `user_sessions_user`. */
export async function voidProofs({ sql, actor }: SessionContext): Promise<void> {
  await reach(sql`update user_sessions set proven_at = '-infinity' where user_id = ${actor.userId}::uuid`);
}
