import type { IncomingMessage } from 'node:http';
import { expect, test } from 'vitest';
import { trustedProxies } from '../../host/edge/client-address.ts';
import { watchProxies } from '../../host/edge/watch-proxies.ts';

const FORWARDED = { 'x-forwarded-for': '198.51.100.1' };

/** What is logged after these requests, each from an address and with headers. */
function logOf(requests: readonly (readonly [string | undefined, Record<string, string>])[]): string[] {
  const lines: string[] = [];
  const watch = watchProxies(trustedProxies(['127.0.0.1']), (line) => lines.push(line));
  for (const [remoteAddress, headers] of requests)
    watch({ socket: { remoteAddress }, headers } as unknown as IncomingMessage);
  return lines;
}
const times = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);

test('a proxy that is not trusted is named once, with what to set', () => {
  const lines = logOf(times(100, ['::ffff:172.18.0.1', FORWARDED]));
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('all 20 requests so far come from 172.18.0.1');
  expect(lines[0]).toContain('start with TRUSTED_PROXIES=172.18.0.1');
});

test.each([
  ['a trusted proxy', times(100, ['127.0.0.1', FORWARDED] as const)],
  ['a Unix socket', times(100, [undefined, FORWARDED] as const)],
  ['clients without a proxy', times(100, ['172.18.0.1', {}] as const)],
  [
    'several addresses',
    [['172.18.0.1', FORWARDED] as const, ...times(100, ['172.18.0.2', FORWARDED] as const)],
  ],
  ['few requests', times(19, ['172.18.0.1', FORWARDED] as const)],
])('no warning for %s', (_, requests) => {
  expect(logOf(requests)).toEqual([]);
});
