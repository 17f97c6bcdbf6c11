/** Making an account oneself: as everybody, by an invitation where sign-up is closed, or by the first owner's link. */
import { hashPassword } from 'better-auth/crypto';
import type { Ports } from '../../context.ts';
import type { Fragment, Sql } from '../../db.ts';
import { DomainError } from '../../errors.ts';
import { openInvitation, turnOfInvitation } from '../../projects/invitations.ts';
import { hashToken } from '../../tokens.ts';
import { inTurn } from '../../turns.ts';
import { emailTaken, insertAccount } from '../create-account.ts';
import { isFirstOwnerToken, turnOfFirstOwner, unowned } from './first-owner.ts';
import type { SignUp } from './schemas.ts';

export interface SignUpContext extends Ports {
  /** AUTH_KEY: made the first owner's link. */
  authKey: string;
  /** Everybody may sign up. Otherwise an invitation is needed. */
  isSignUpOpen: boolean;
}

/** Who may make an account. */
interface Door {
  /** Taken before the statement, in its transaction. */
  turns: Fragment[];
  /** Has a row if the door is open. */
  admitted: Fragment;
  refusal: () => DomainError;
  /** The person owns every project there is, with a confirmed address. */
  isFirstOwner: boolean;
}

/**
 * Makes an account with a password, in one transaction. The first owner's link confirms the address and makes the person an owner of
 * every project there is; only one account can be made by it, while nobody has a password. Returns whether the address is confirmed.
 *
 * @throws `FORBIDDEN` if nobody may sign up, the invitation isn't open, or the first owner's link isn't valid; `CONFLICT` for an address
 * that has an account
 */
export async function signUp(
  ctx: SignUpContext,
  { email, password, name = email.slice(0, email.indexOf('@')), invitation, firstOwner }: SignUp,
): Promise<{ emailConfirmed: boolean }> {
  const door = await findDoor(ctx, { invitation, firstOwner });
  await enter(ctx, door, { email, name, hash: await hashPassword(password) });
  return { emailConfirmed: door.isFirstOwner };
}

interface Entrant {
  email: string;
  name: string;
  /** The password's. */
  hash: string;
}

/** Makes the account if the door is open. Throws the door's refusal, and `CONFLICT`. */
export async function enter(
  { sql }: Pick<Ports, 'sql'>,
  { turns, admitted, refusal, isFirstOwner }: Door,
  { email, name, hash }: Entrant,
): Promise<void> {
  const account = insertAccount(sql, { email, name, emailConfirmed: isFirstOwner }, sql`select from door`);
  const [row] = (await inTurn(
    sql,
    turns,
    sql`
      with door as materialized (${admitted}), ${account}, credential as (
        insert into user_credentials (user_id, provider, account, password)
        select id, 'credential', id::text, ${hash} from person
      ), owned as (
        insert into project_members (project_id, user_id, role)
        select projects.id, person.id, 'owner' from projects, person where ${isFirstOwner}::boolean
      )
      select exists (select from door) as admitted, exists (select from person) as made`,
  )) as { admitted: boolean; made: boolean }[];
  if (!row?.admitted) throw refusal();
  if (!row.made) throw emailTaken();
}

/** Throws `FORBIDDEN` if there is none. */
export async function findDoor(
  ctx: SignUpContext,
  { invitation, firstOwner }: Pick<SignUp, 'invitation' | 'firstOwner'>,
): Promise<Door> {
  if (firstOwner !== undefined) return firstOwnerDoor(ctx, firstOwner);
  return ctx.isSignUpOpen ? everybodysDoor(ctx.sql) : invitationDoor(ctx.sql, invitation);
}

const everybodysDoor = (sql: Sql): Door => ({
  turns: [],
  admitted: sql`select true`,
  refusal: signUpClosed,
  isFirstOwner: false,
});

/** An invitation that is withdrawn meanwhile opens nothing. */
async function invitationDoor(sql: Sql, secret: string | undefined): Promise<Door> {
  if (secret === undefined) throw signUpClosed();
  const hash = await hashToken(secret);
  return {
    turns: [turnOfInvitation(sql, hash)],
    admitted: openInvitation(sql, hash),
    isFirstOwner: false,
    refusal: () =>
      new DomainError(
        'FORBIDDEN',
        'This invitation was used or withdrawn, or has ended. Ask whoever invited you for another one.',
      ),
  };
}

async function firstOwnerDoor(ctx: SignUpContext, token: string): Promise<Door> {
  if (!(await isFirstOwnerToken(ctx, token)))
    throw new DomainError(
      'FORBIDDEN',
      'This link for the first owner is wrong, or its day has passed. Start the service again: it prints another one.',
    );
  return {
    turns: [turnOfFirstOwner(ctx.sql)],
    admitted: unowned(ctx.sql),
    isFirstOwner: true,
    refusal: () =>
      new DomainError(
        'FORBIDDEN',
        'This service has an owner already. Sign in, or ask an owner for an invitation.',
      ),
  };
}

export const signUpClosed = (): DomainError =>
  new DomainError(
    'FORBIDDEN',
    'Nobody can sign up here without an invitation. Ask an owner or admin of a project for one.',
  );
