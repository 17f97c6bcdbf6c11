import { expect, test } from 'vitest';
import { isSiteHost, webHost } from '../../../lib/collection/site-host.ts';

test.each([
  ['example.com', 'example.com', true],
  ['www.example.com', 'example.com', true],
  ['a.b.example.com', 'example.com', true],
  ['example.com', 'www.example.com', true],
  ['shop.example.com', 'www.example.com', false],
  ['a.www.example.com', 'www.example.com', true],
  ['notexample.com', 'example.com', false],
  ['example.com.evil.test', 'example.com', false],
  ['example.org', 'example.com', false],
  ['com', 'example.com', false],
  ['localhost', 'localhost', true],
  ['app.localhost', 'localhost', true],
  ['127.0.0.1', 'localhost', true],
  ['[::1]', 'localhost', true],
  ['notlocalhost', 'localhost', false],
  ['localhost', 'example.com', false],
  ['127.0.0.1', 'example.com', false],
  ['192.0.2.7', '192.0.2.7', true],
])('%s on the site %s: %s', (host, domain, expected) => expect(isSiteHost(host, [domain])).toBe(expected));

test('a site with several domains has the hosts of each', () => {
  const domains = ['example.com', 'www.shop.example'];
  const hosts = ['example.com', 'blog.example.com', 'shop.example', 'www.shop.example', 'a.www.shop.example'];
  expect(hosts.filter((host) => !isSiteHost(host, domains))).toEqual([]);
  expect(['pay.shop.example', 'example', 'example.org'].filter((host) => isSiteHost(host, domains))).toEqual(
    [],
  );
  expect(isSiteHost('127.0.0.1', ['example.com', 'localhost'])).toBe(true);
  expect(isSiteHost('example.com', [])).toBe(false);
});

test('only web addresses have a host', () => {
  expect(webHost(new URL('https://Example.COM.:8443/'))).toBe('example.com');
  expect(webHost(new URL('ftp://example.com/'))).toBeUndefined();
  expect(webHost(new URL('http://example.com/'))).toBe('example.com');
  expect(webHost(new URL('https://./'))).toBeUndefined();
});

test('a host has at most 253 characters, without the final dot', () => {
  const host = `${'a.'.repeat(121)}example.com`;
  expect(host).toHaveLength(253);
  expect(webHost(new URL(`https://${host}/`))).toBe(host);
  expect(webHost(new URL(`https://${host}./`))).toBe(host);
  expect(webHost(new URL(`https://b${host}/`))).toBeUndefined();
});
