import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createUnlockTokens } from '../../../lib/shares/unlock-tokens.ts';

const tokens = createUnlockTokens('a secret of thirty-two characters');
const lock = { shareId: 'a', password: 'stored' };
const END = 1_800_000_000;

test('a token opens its lock until it ends, and no other', async () => {
  const token = await tokens.issue(lock, END);
  expect(token).toMatch(/^[A-Za-z0-9_-]{48}$/);
  expect(await tokens.opens(token, lock, END * 1000 - 1)).toBe(true);
  expect(await tokens.opens(token, lock, END * 1000)).toBe(false);
  expect(await tokens.opens(token, { ...lock, shareId: 'b' }, 0)).toBe(false);
  expect(await tokens.opens(token, { ...lock, password: 'changed' }, 0)).toBe(false);
  const others = createUnlockTokens('another one of thirty-two characters');
  expect(await others.opens(token, lock, 0)).toBe(false);
});

test('a token with anything changed opens nothing', async () => {
  const token = await tokens.issue(lock, END);
  const spoiled = fc.oneof(
    fc.string(),
    fc.base64String(),
    fc
      .tuple(fc.nat(token.length - 1), fc.constantFrom(...'AZaz09-_'))
      .map(([at, letter]) => token.slice(0, at) + letter + token.slice(at + 1)),
  );
  await fc.assert(
    fc.asyncProperty(spoiled, async (text) => {
      expect(await tokens.opens(text, lock, 0)).toBe(text === token);
    }),
  );
});
