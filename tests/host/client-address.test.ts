import type { IncomingMessage } from 'node:http';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { clientAddressOf, trustedProxies } from '../../host/edge/client-address.ts';

const own = trustedProxies(['127.0.0.0/8', '::1']);

const request = (remoteAddress: string | undefined, headers: Record<string, string> = {}): IncomingMessage =>
  ({ socket: { remoteAddress }, headers }) as unknown as IncomingMessage;

describe('the client is', () => {
  test.each([
    ['the connection', '203.0.113.7', {}, '203.0.113.7'],
    ['the connection of an IPv6 socket', '::ffff:203.0.113.7', {}, '203.0.113.7'],
    ['not what a stranger says', '203.0.113.7', { 'x-forwarded-for': '1.2.3.4' }, '203.0.113.7'],
    ['not what a stranger says', '203.0.113.7', { forwarded: 'for=1.2.3.4' }, '203.0.113.7'],
    ['what the proxy says', '127.0.0.1', { 'x-forwarded-for': '198.51.100.1' }, '198.51.100.1'],
    [
      'the last one that isn’t a proxy',
      '127.0.0.1',
      { 'x-forwarded-for': '6.6.6.6, 198.51.100.1' },
      '198.51.100.1',
    ],
    ['behind two proxies', '127.0.0.1', { 'x-forwarded-for': '198.51.100.1, 127.0.0.2' }, '198.51.100.1'],
    ['the proxy, if the list has no address', '127.0.0.1', { 'x-forwarded-for': 'unknown' }, '127.0.0.1'],
    ['the hop after what is malformed', '127.0.0.1', { 'x-forwarded-for': 'x, 127.0.0.9' }, '127.0.0.9'],
    ['with a port', '127.0.0.1', { 'x-forwarded-for': '198.51.100.1:4711' }, '198.51.100.1'],
    ['of RFC 7239', '127.0.0.1', { forwarded: 'proto=https;for=198.51.100.1;by=x' }, '198.51.100.1'],
    ['of RFC 7239, IPv6', '::1', { forwarded: 'for="[2001:db8::1]:4711"' }, '2001:db8::1'],
    [
      'that of the list before RFC 7239',
      '127.0.0.1',
      { forwarded: 'for=6.6.6.6', 'x-forwarded-for': '198.51.100.1' },
      '198.51.100.1',
    ],
    ['behind a Unix socket', undefined, { 'x-forwarded-for': '198.51.100.1' }, '198.51.100.1'],
    ['this machine, if nobody says more', undefined, {}, '127.0.0.1'],
  ])('%s: %s %o', (_, remote, headers, expected) => {
    expect(clientAddressOf(request(remote, headers), own)).toBe(expected);
  });

  test('never what comes before an untrusted hop, whatever a client sends', () => {
    const hop = fc.oneof(fc.ipV4(), fc.ipV6(), fc.string(), fc.constant('127.0.0.1'));
    fc.assert(
      fc.property(
        fc.array(hop),
        fc.ipV4().filter((address) => !own(address)),
        (sent, real) => {
          const list = [...sent, real].join(', ');
          expect(clientAddressOf(request('127.0.0.1', { 'x-forwarded-for': list }), own)).toBe(real);
        },
      ),
    );
  });
});

test.each(['', '10.0.0.0/33', 'x', '10.0.0.0/8/8', '10.0.0.0/-1', '::/129', '10.0.0.0/'])(
  '%j is no network',
  (cidr) => {
    expect(() => trustedProxies([cidr])).toThrow(`${JSON.stringify(cidr)} is no address and no network`);
  },
);
