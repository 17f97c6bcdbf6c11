import { expect, test } from 'vitest';
import { DomainError } from '../../../lib/errors.ts';
import { hashPassword } from '../../../lib/shares/password.ts';
import { createShareSecrets, isShareSecret } from '../../../lib/shares/secret.ts';
import { unlockShare } from '../../../lib/shares/unlock-share.ts';
import { createUnlockTokens } from '../../../lib/shares/unlock-tokens.ts';

const unlockTokens = createUnlockTokens('a secret of thirty-two characters');
const NOW = Date.UTC(2026, 10, 24, 9, 0, 0, 750);
const ctx = { unlockTokens, now: () => NOW };
const stored = await hashPassword('salt and brine', (bytes) => crypto.getRandomValues(bytes));

test('the password opens a share for a day', async () => {
  const share = { shareId: 'a', password: stored };
  const { token, expiresAt } = await unlockShare(ctx, { ...share, typed: 'salt and brine' });
  expect(expiresAt).toBe('2026-11-25T09:00:00.000Z');
  expect(await unlockTokens.opens(token, share, Date.parse(expiresAt) - 1)).toBe(true);
  expect(await unlockTokens.opens(token, share, Date.parse(expiresAt))).toBe(false);
});

test.each([
  ['a wrong password', stored, 'UNAUTHORIZED', 'The password is wrong.'],
  ['a share without a password', null, 'CONFLICT', 'This share has no password. Read it as it is.'],
])('%s opens nothing', async (_, password, code, message) => {
  const opened = unlockShare(ctx, { shareId: 'a', password, typed: 'salt' });
  await expect(opened).rejects.toBeInstanceOf(DomainError);
  await expect(opened).rejects.toMatchObject({ code, message });
});

test('a share has one secret for each key', async () => {
  const { secretOf } = createShareSecrets('s'.repeat(32));
  const secret = await secretOf('a');
  expect(await createShareSecrets('s'.repeat(32)).secretOf('a')).toBe(secret);
  // Python: hmac.new(b's' * 32, b'share a', 'sha256')
  expect(secret).toBe('vhSKs-KIbzXusBf1qgo6QoqJHaS39NyvwlCD9nK_PoI');
  expect(isShareSecret(secret)).toBe(true);
  const others = [await secretOf('b'), await createShareSecrets('t'.repeat(32)).secretOf('a')];
  expect(new Set([secret, ...others]).size).toBe(3);
});

test.each(['', 'a'.repeat(42), `${'a'.repeat(42)}+`, 'A'.repeat(44), `${'A'.repeat(42)}B`, 'ä'])(
  '%j is no secret',
  (text) => {
    expect(isShareSecret(text)).toBe(false);
  },
);
