import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createToken, hashToken, isToken, type TokenPrefix } from '../../lib/tokens.ts';

const prefixes: TokenPrefix[] = ['vapi', 'ving', 'vqry'];
const prefix = fc.constantFrom(...prefixes);
const token = fc
  .tuple(prefix, fc.uint8Array({ minLength: 32, maxLength: 32 }))
  .map(([name, bytes]) => createToken(name, () => new Uint8Array(bytes)));

test('a token has its prefix, 43 url-safe characters and a checksum of six', () => {
  fc.assert(
    fc.property(token, (value) => {
      expect(value).toMatch(/^(vapi|ving|vqry)_[A-Za-z0-9_-]{43}[A-Za-z0-9]{6}$/);
      for (const name of prefixes) expect(isToken(name, value)).toBe(value.startsWith(name));
    }),
  );
});

test('no single wrong character passes', () => {
  const alphabet = fc.constantFrom(...'ABCXYZabcxyz0189-_ é');
  fc.assert(
    fc.property(token, fc.nat({ max: 53 }), alphabet, (value, at, character) => {
      fc.pre(value[at] !== character);
      const wrong = value.slice(0, at) + character + value.slice(at + 1);
      expect(prefixes.some((name) => isToken(name, wrong))).toBe(false);
    }),
    { numRuns: 2000 },
  );
});

test('no other text passes', () => {
  fc.assert(fc.property(fc.string({ maxLength: 80 }), prefix, (text, name) => !isToken(name, text)));
  fc.assert(fc.property(token, fc.string({ minLength: 1 }), (value, more) => !isToken('vapi', value + more)));
});

// CRC-32 of "vapi_" and 43 times "A", by an independent implementation (Python's zlib), in base 62.
test('the checksum is a standard CRC-32', () => {
  const zeros = createToken('vapi', (bytes) => bytes);
  expect(zeros.slice(0, -6)).toBe(`vapi_${'A'.repeat(43)}`);
  expect(zeros.slice(-6)).toBe('2ZMpRN');
});

test('the hash is SHA-256 in hex', async () => {
  expect(await hashToken('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad');
});
