import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readHints } from '../../../lib/user-agents/client-hints.ts';
import { parseDevice } from '../../../lib/user-agents/device.ts';

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

const chromium = (version: number, system: string, rest = '') =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${version}.0.0.0 Safari/537.36${rest}`;
const mobile = (version: number, rest = '') =>
  `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko)${rest} Chrome/${version}.0.0.0 Mobile Safari/537.36`;
const WINDOWS = 'Windows NT 10.0; Win64; x64';
const MAC = 'Macintosh; Intel Mac OS X 10_15_7';

/** Headers of browsers of 2025 and 2026: user agent, `Sec-CH-UA`, `-Mobile`, `-Platform`. */
test.each([
  [
    [
      chromium(141, WINDOWS),
      '"Google Chrome";v="141", "Not?A_Brand";v="8", "Chromium";v="141"',
      '?0',
      '"Windows"',
    ],
    ['desktop', 'Chrome', 'Windows'],
  ],
  [
    [chromium(138, MAC), '"Not)A;Brand";v="8", "Chromium";v="138", "Brave";v="138"', '?0', '"macOS"'],
    ['desktop', 'Brave', 'macOS'],
  ],
  [
    [mobile(142), '"Chromium";v="142", "Brave";v="142", "Not_A Brand";v="99"', '?1', '"Android"'],
    ['mobile', 'Brave', 'Android'],
  ],
  [
    [
      chromium(140, WINDOWS, ' Edg/140.0.0.0'),
      '"Chromium";v="140", "Not=A?Brand";v="24", "Microsoft Edge";v="140"',
      '?0',
      '"Windows"',
    ],
    ['desktop', 'Edge', 'Windows'],
  ],
  [
    [
      chromium(139, WINDOWS, ' OPR/123.0.0.0'),
      '"Opera";v="123", "Not;A=Brand";v="8", "Chromium";v="139"',
      '?0',
      '"Windows"',
    ],
    ['desktop', 'Opera', 'Windows'],
  ],
  [
    [
      chromium(136, WINDOWS, ' OPR/120.0.0.0'),
      '"Chromium";v="136", "Opera GX";v="120", "Not.A/Brand";v="99"',
      '?0',
      '"Windows"',
    ],
    ['desktop', 'Opera GX', 'Windows'],
  ],
  [
    [
      chromium(140, 'X11; Linux x86_64'),
      '"Chromium";v="140", "Not=A?Brand";v="24", "Vivaldi";v="7.6"',
      '?0',
      '"Linux"',
    ],
    ['desktop', 'Vivaldi', 'Linux'],
  ],
  [
    [
      chromium(140, WINDOWS),
      '"Google Chrome";v="140", "Vivaldi";v="7.6", "Chromium";v="140"',
      '?0',
      '"Windows"',
    ],
    ['desktop', 'Vivaldi', 'Windows'],
  ],
  [
    [
      mobile(136, ' SamsungBrowser/29.0'),
      '"Chromium";v="136", "Samsung Internet";v="29.0", "Not.A/Brand";v="99"',
      '?1',
      '"Android"',
    ],
    ['mobile', 'Samsung Internet', 'Android'],
  ],
  [
    [
      chromium(142, 'Linux; Android 10; K'),
      '"Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"',
      '?0',
      '"Android"',
    ],
    ['tablet', 'Chrome', 'Android'],
  ],
  [
    [
      chromium(138, 'X11; CrOS x86_64 14541.0.0'),
      '"Google Chrome";v="138", "Chromium";v="138", "Not;A=Brand";v="8"',
      '?0',
      '"Chrome OS"',
    ],
    ['desktop', 'Chrome', 'Chrome OS'],
  ],
  [
    [
      chromium(142, WINDOWS, ' YaBrowser/25.10.0.0'),
      '"Chromium";v="142", "YaBrowser";v="25.10", "Not_A Brand";v="99", "Yowser";v="2.5"',
      '?0',
      '"Windows"',
    ],
    ['desktop', 'Yandex', 'Windows'],
  ],
  [
    [mobile(142), '"Chromium";v="142", "DuckDuckGo";v="142", "Not_A Brand";v="99"', '?1', '"Android"'],
    ['mobile', 'DuckDuckGo', 'Android'],
  ],
  [
    [
      chromium(142, 'X11; Linux x86_64'),
      '"Chromium";v="142", "HeadlessChrome";v="142", "Not_A Brand";v="99"',
      '?0',
      '"Linux"',
    ],
    ['desktop', 'Chrome', 'Linux'],
  ],
  [
    [
      chromium(142, WINDOWS),
      '"Chromium";v="142", "Somebody’s Own";v="1", "Not_A Brand";v="99"',
      '?0',
      '"Windows"',
    ],
    ['desktop', 'Chrome', 'Windows'],
  ],
  [
    [chromium(142, WINDOWS), '"__proto__";v="1", "constructor";v="1"', '?0', '"constructor"'],
    ['desktop', 'Chrome', 'Windows'],
  ],
  [
    ['Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:145.0) Gecko/20100101 Firefox/145.0', '', '', ''],
    ['desktop', 'Firefox', 'Windows'],
  ],
  [
    ['Mozilla/5.0 (Android 15; Mobile; rv:145.0) Gecko/145.0 Firefox/145.0', '', '', ''],
    ['mobile', 'Firefox', 'Android'],
  ],
  [
    ['Mozilla/5.0 (Android 15; Tablet; rv:145.0) Gecko/145.0 Firefox/145.0', '', '', ''],
    ['tablet', 'Firefox', 'Android'],
  ],
  [
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Mobile/15E148 Safari/604.1',
      '',
      '',
      '',
    ],
    ['mobile', 'Safari', 'iOS'],
  ],
  [
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.0 Safari/605.1.15 Ddg/26.0',
      '',
      '',
      '',
    ],
    ['desktop', 'DuckDuckGo', 'macOS'],
  ],
  [
    [
      'Mozilla/5.0 (Linux; Android 11; KFTRWI) AppleWebKit/537.36 (KHTML, like Gecko) Silk/138.8.1 like Chrome/138.0.7204.179 Safari/537.36',
      '',
      '',
      '',
    ],
    ['tablet', 'Amazon Silk', 'Android'],
  ],
  [
    [
      'Mozilla/5.0 (SMART-TV; LINUX; Tizen 7.0) AppleWebKit/537.36 (KHTML, like Gecko) 94.0.4606.31/7.0 TV Safari/537.36',
      '',
      '?0',
      '"Linux"',
    ],
    ['tv', 'Tizen', 'Linux'],
  ],
] as const)('%j is %j', ([userAgent, ...headers], [device, browser, os]) => {
  expect(parseDevice(userAgent, readHints(headers))).toEqual({ device, browser, os });
});

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
