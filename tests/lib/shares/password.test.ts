import { expect, test } from 'vitest';
import { hashPassword, isPassword } from '../../../lib/shares/password.ts';

const random = (bytes: Uint8Array<ArrayBuffer>) => crypto.getRandomValues(bytes);

test('the password is right, and nothing like it', async () => {
  const stored = await hashPassword('café com leite', random);
  expect(stored).toMatch(/^pbkdf2-sha256:100000:[A-Za-z0-9_-]{22}:[A-Za-z0-9_-]{43}$/);
  expect(await isPassword('café com leite', stored)).toBe(true);
  expect(await isPassword('cafe\u0301 com leite', stored)).toBe(true);
  for (const wrong of ['', 'café com leit', 'café com leite ', 'Café com leite', 'cafe com leite']) {
    expect(await isPassword(wrong, stored)).toBe(false);
  }
});

test('the same password is stored otherwise each time', async () => {
  expect(await hashPassword('salt and brine', random)).not.toBe(await hashPassword('salt and brine', random));
});

test('it is PBKDF2 as elsewhere', async () => {
  // Python: hashlib.pbkdf2_hmac('sha256', b'salt and brine', bytes(range(16)), 100000)
  const stored = await hashPassword('salt and brine', (bytes) => bytes.map((_, index) => index));
  expect(stored.split(':')[3]).toBe('rBMYnQU5fqcVbbr0ViwYtNMdPhQp8XH7AH-jEeqmldU');
});

test.each(['', 'scrypt:1:AA:AA', 'pbkdf2-sha256:1:*:AA'])('%j is not ours', async (stored) => {
  await expect(isPassword('salt and brine', stored)).rejects.toThrow('unknown form');
});
