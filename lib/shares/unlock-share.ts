import { DomainError } from '../errors.ts';
import type { FoundShare } from './find-share.ts';
import { isPassword } from './password.ts';
import type { UnlockToken } from './schemas.ts';
import type { UnlockTokens } from './unlock-tokens.ts';

/** A reader isn't asked again on the same device for a day. */
const OPEN_SECONDS = 24 * 60 * 60;

/**
 * Checks the password and issues an unlock token. Throws `UNAUTHORIZED` for a wrong password, `CONFLICT` for a share without a password.
 */
export async function unlockShare(
  ctx: { unlockTokens: UnlockTokens; now: () => number },
  { shareId, password, typed }: Pick<FoundShare, 'shareId' | 'password'> & { typed: string },
): Promise<UnlockToken> {
  if (password === null) throw new DomainError('CONFLICT', 'This share has no password. Read it as it is.');
  if (!(await isPassword(typed, password))) throw new DomainError('UNAUTHORIZED', 'The password is wrong.');
  const endsAt = Math.floor(ctx.now() / 1000) + OPEN_SECONDS;
  const token = await ctx.unlockTokens.issue({ shareId, password }, endsAt);
  return { token, expiresAt: new Date(endsAt * 1000).toISOString() };
}
