import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDevice } from '../../../lib/visits/device.ts';

const CHROME = 'AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0';

test.each([
  [`Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36`, 'desktop', 'Chrome', 'Windows'],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${CHROME} Safari/537.36 Edg/126.0.0.0`,
    'desktop',
    'Edge',
    'Windows',
  ],
  [`Mozilla/5.0 (X11; CrOS x86_64 14541.0.0) ${CHROME} Safari/537.36`, 'desktop', 'Chrome', 'Chrome OS'],
  [
    'Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:126.0) Gecko/20100101 Firefox/126.0',
    'desktop',
    'Firefox',
    'Linux',
  ],
  [
    'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Safari/605.1.15',
    'desktop',
    'Safari',
    'macOS',
  ],
  [`Mozilla/5.0 (Linux; Android 10; K) ${CHROME} Mobile Safari/537.36`, 'mobile', 'Chrome', 'Android'],
  [`Mozilla/5.0 (Linux; Android 13; SM-X700) ${CHROME} Safari/537.36`, 'tablet', 'Chrome', 'Android'],
  [
    'Mozilla/5.0 (iPhone; CPU iPhone OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/126.0 Mobile/15E148 Safari/604.1',
    'mobile',
    'Chrome',
    'iOS',
  ],
  [
    'Mozilla/5.0 (iPad; CPU OS 17_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/17.5 Mobile/15E148 Safari/604.1',
    'tablet',
    'Safari',
    'iOS',
  ],
  [
    'Mozilla/5.0 (Linux; Android 14; SAMSUNG SM-S911B) AppleWebKit/537.36 (KHTML, like Gecko) SamsungBrowser/25.0 Chrome/121.0.0.0 Mobile Safari/537.36',
    'mobile',
    'Samsung Internet',
    'Android',
  ],
])('%s', (userAgent, device, browser, os) => expect(parseDevice(userAgent)).toEqual({ device, browser, os }));

test.each(['', '   ', 'x', 'constructor', 'SecretApp/1.0 someone@example.com (thing)', '__proto__/1.0 '])(
  '%j tells nothing, and nothing of it is kept',
  (userAgent) => expect(parseDevice(userAgent)).toEqual({ device: 'other' }),
);

test('any user agent gives names from the parser’s own lists, quickly', () => {
  const names = new Set<string>();
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 2000 }), (userAgent) => {
      const { browser, os } = parseDevice(`Mozilla/5.0 (${userAgent}) ${userAgent}/1.0 `);
      for (const name of [browser, os]) if (name !== undefined) names.add(name);
    }),
  );
  expect([...names].every((name) => name.length <= 32)).toBe(true);
});
