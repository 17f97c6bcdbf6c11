import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hashVisitor, type Visitor } from '../../../lib/privacy/visitor.ts';

const importKey = (bytes: Uint8Array<ArrayBuffer>) =>
  crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign']);
const bytes = crypto.getRandomValues(new Uint8Array(32));
const salt = await importKey(bytes);
const visitor: Visitor = {
  siteId: '7d2f3c1e-5a84-4b8f-9c57-0e6f1a2b3c4d',
  address: '192.0.2.7',
  userAgent: 'Mozilla/5.0',
};

test('is the first 128 bits of an HMAC-SHA256 in uuid form', async () => {
  const hash = await hashVisitor(salt, visitor);
  const expected = createHmac('sha256', bytes)
    .update(JSON.stringify([visitor.siteId, visitor.address, visitor.userAgent]))
    .digest('hex')
    .slice(0, 32);
  expect(hash).toMatch(/^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/);
  expect(hash.replaceAll('-', '')).toBe(expected);
});

test('stays within a day, a site, an address and a user agent', async () => {
  const hash = await hashVisitor(salt, visitor);
  expect(await hashVisitor(salt, { ...visitor })).toBe(hash);
  const others = await Promise.all([
    hashVisitor(salt, { ...visitor, siteId: crypto.randomUUID() }),
    hashVisitor(salt, { ...visitor, address: '192.0.2.8' }),
    hashVisitor(salt, { ...visitor, userAgent: 'Mozilla/5.1' }),
    importKey(crypto.getRandomValues(new Uint8Array(32))).then((other) => hashVisitor(other, visitor)),
  ]);
  expect(new Set([hash, ...others]).size).toBe(5);
});

test('no part runs into the next', async () => {
  const part = fc.string({ unit: 'binary', maxLength: 8 });
  await fc.assert(
    fc.asyncProperty(part, part, part, async (address, moved, userAgent) => {
      fc.pre(moved !== '');
      const one = await hashVisitor(salt, { ...visitor, address: address + moved, userAgent });
      const other = await hashVisitor(salt, { ...visitor, address, userAgent: moved + userAgent });
      expect(one).not.toBe(other);
    }),
  );
});
