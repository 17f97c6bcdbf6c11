import { expect, test } from 'vitest';
import { addressKeys, clientAddress, subscriberOf } from '../../../lib/http/client-address.ts';

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:DB8:1:2::', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:ffff::1', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::ffff:203.0.113.9', '203.0.113.9'],
  ['fe80::1:2:3:4', 'fe80:0:0:0::/64'],
])('%s is counted as %s', (address, subscriber) => {
  expect(subscriberOf(address)).toBe(subscriber);
});

test('a key hides the address, is stable, and differs by address, site and secret', async () => {
  const key = addressKeys('s'.repeat(32));
  const base = await key('203.0.113.9', 'site-1');
  expect(base).toMatch(/^[A-Za-z0-9_-]{22}$/);
  expect(await addressKeys('s'.repeat(32))('203.0.113.9', 'site-1')).toBe(base);
  const others = await Promise.all([
    key('203.0.113.10', 'site-1'),
    key('203.0.113.9', 'site-2'),
    key(undefined, 'site-1'),
    addressKeys('t'.repeat(32))('203.0.113.9', 'site-1'),
  ]);
  expect(new Set([base, ...others]).size).toBe(5);
  expect(await key('2001:db8::1', 'site-1')).toBe(await key('2001:db8::2', 'site-1'));
});

test.each([
  [' 203.0.113.9 ', '203.0.113.9'],
  ['', undefined],
  ['x'.repeat(46), undefined],
])('the header %j gives %s', (value, address) => {
  expect(clientAddress(new Headers({ 'CF-Connecting-IP': value }))).toBe(address);
});

test('only the edge names the address', () => {
  expect(clientAddress(new Headers({ 'X-Forwarded-For': '203.0.113.9' }))).toBeUndefined();
});
