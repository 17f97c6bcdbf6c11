/** Links that reset a password: mailed to the person, or made by the operator. The database stores only hashes of their tokens. */
import { generateRandomString, hashPassword } from 'better-auth/crypto';
import type { Call } from '../../audit.ts';
import { toBase64Url } from '../../bytes.ts';
import type { Ports } from '../../context.ts';
import { reach } from '../../db.ts';
import { insertRevokedKeys } from '../revoke-keys.ts';
import { wrongToken } from './api-error.ts';
import type { RequestPasswordReset, ResetPassword } from './schemas.ts';

const TOKEN_LENGTH = 24;
const VALID_MS = 60 * 60 * 1000;

/** `user_verifications.identifier` of a token, in the library's form. */
async function identifierOf(token: string): Promise<string> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`reset-password:${token}`));
  return toBase64Url(new Uint8Array(digest));
}

/**
 * The token of a new link for the account with this address, valid for an hour; undefined without an account. Also deletes expired rows.
 * Uses the indexes `users_email` and `user_verifications_expires`.
 */
export async function createPasswordReset(
  ctx: Ports,
  { email }: RequestPasswordReset,
): Promise<string | undefined> {
  const token = generateRandomString(TOKEN_LENGTH, 'a-z', 'A-Z', '0-9');
  const expiresAt = new Date(ctx.now() + VALID_MS).toISOString();
  const rows = await reach(ctx.sql`
    with expired as (delete from user_verifications where expires_at < now())
    insert into user_verifications (identifier, value, expires_at)
    select ${await identifierOf(token)}, id, ${expiresAt}::timestamptz from users where lower(email) = lower(${email})
    returning id`);
  return rows.length === 0 ? undefined : token;
}

/**
 * Sets a new password by a link's token. Confirms the address, and ends the person's sessions, API keys, query tokens, invitations and other
 * links, all or nothing. A first password, of an account that the operator made, leaves keys, tokens and invitations alone. Throws
 * `VALIDATION_ERROR` for a token that is unknown, used or expired. Uses the index `user_verifications_identifier`.
 */
export async function resetPassword(ctx: Ports & Call, { token, password }: ResetPassword): Promise<void> {
  const identifier = await identifierOf(token);
  const [found] = await reach(ctx.sql`
    select value as "userId" from user_verifications where identifier = ${identifier} and expires_at > now()`);
  if (found === undefined) throw wrongToken();
  await replacePassword(ctx, {
    identifier,
    userId: String(found.userId),
    hash: await hashPassword(password),
  });
}

interface NewPassword {
  /** `user_verifications.identifier` of the link. */
  identifier: string;
  userId: string;
  /** The new password's hash. */
  hash: string;
}

/** Sets a new password (`reset_password` of the schema). Throws `VALIDATION_ERROR` if another link of the person was used meanwhile. */
export async function replacePassword(
  ports: Ports & Call,
  { identifier, userId, hash }: NewPassword,
): Promise<void> {
  const ctx = { ...ports, actor: { kind: 'mailedLink' as const, userId } };
  const [reset] = await reach(ctx.sql`
    with reset as materialized (
      select person as id, is_first from reset_password(${identifier}, ${hash})
    ), ${insertRevokedKeys(ctx, ctx.sql`(select id from reset where not is_first)`)}
    select id from reset`);
  if (reset === undefined) throw wrongToken();
}
