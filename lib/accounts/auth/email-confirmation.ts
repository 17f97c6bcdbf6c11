/** Links that confirm an e-mail address, by tokens of the library. Only who is signed in to the account can use one. */
import { createEmailVerificationToken } from 'better-auth/api';
import { verifyJWT } from 'better-auth/crypto';
import type { SessionContext } from '../../context.ts';
import { reach } from '../../db.ts';
import { DomainError } from '../../errors.ts';
import { MAILS } from '../../mails.ts';
import type { AccountContext } from '../account-context.ts';
import { wrongToken } from './api-error.ts';
import { withEitherKey } from './auth-keys.ts';
import type { ConfirmEmail } from './schemas.ts';

const VALID_HOURS = 24;

type MailContext = Pick<AccountContext, 'authKeys' | 'publicUrl' | 'language' | 'sendConfirmation'>;

/** Mails a link that confirms the address. Throws the errors of `sendConfirmation`. */
export async function mailConfirmation(ctx: MailContext, { email }: { email: string }): Promise<void> {
  const token = await createEmailVerificationToken(
    ctx.authKeys.current,
    email,
    undefined,
    VALID_HOURS * 60 * 60,
  );
  const url = `${ctx.publicUrl}/confirm-email#${token}`;
  await ctx.sendConfirmation({ to: email, ...MAILS[ctx.language].confirmation(url, VALID_HOURS) });
}

/** Mails the caller another link. Throws `CONFLICT` if the address is confirmed, and the errors of `mailConfirmation`. */
export async function requestConfirmation(ctx: AccountContext): Promise<void> {
  const [person] = await reach(ctx.sql`
    select email from users where id = ${ctx.actor.userId} and not email_verified`);
  if (person === undefined) throw new DomainError('CONFLICT', 'Your e-mail address is confirmed already.');
  await mailConfirmation(ctx, { email: person.email });
}

/**
 * Confirms the caller's address by a mailed link. The link alone isn't enough: whoever made the account must have chosen the password, or
 * somebody could prepare an account for another person, who would confirm it by a click. Throws `VALIDATION_ERROR` for a wrong or expired
 * token, and `FORBIDDEN` for a token of another address.
 */
export async function confirmEmail(
  ctx: SessionContext & Pick<AccountContext, 'authKeys'>,
  { token }: ConfirmEmail,
): Promise<void> {
  const claims = await withEitherKey(ctx.authKeys, (key) => verifyJWT<{ email?: string }>(token, key));
  if (claims?.email === undefined) throw wrongToken();
  const rows = await reach(ctx.sql`
    update users set email_verified = true, updated_at = now()
    where id = ${ctx.actor.userId} and lower(email) = ${claims.email} returning id`);
  if (rows.length === 0)
    throw new DomainError('FORBIDDEN', 'This link is for another account than the one that is signed in.');
}
