/** Which addresses requests may go to, in every spelling. */
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isPublicAddress, refusalOfUrl } from '../../../lib/messages/receiver-address.ts';

const refused = (url: string): boolean => refusalOfUrl(url, 'refused') !== undefined;

/** Networks of IPv4 that aren't public, as first and last address (IANA's special-purpose registry). */
const PRIVATE_NETWORKS = [
  ['0.0.0.0', '0.255.255.255'],
  ['10.0.0.0', '10.255.255.255'],
  ['100.64.0.0', '100.127.255.255'],
  ['127.0.0.0', '127.255.255.255'],
  ['169.254.0.0', '169.254.255.255'],
  ['172.16.0.0', '172.31.255.255'],
  ['192.0.2.0', '192.0.2.255'],
  ['192.168.0.0', '192.168.255.255'],
  ['198.18.0.0', '198.19.255.255'],
  ['198.51.100.0', '198.51.100.255'],
  ['203.0.113.0', '203.0.113.255'],
  ['224.0.0.0', '239.255.255.255'],
  ['240.0.0.0', '255.255.255.255'],
] as const;

const numberOf = (text: string): number => text.split('.').reduce((sum, part) => sum * 256 + Number(part), 0);
const bytesOf = (number: number): number[] => [24, 16, 8, 0].map((shift) => (number >>> shift) & 255);
const dotted = (number: number): string => bytesOf(number).join('.');

const privateNumber = fc
  .constantFrom(...PRIVATE_NETWORKS)
  .chain(([first, last]) => fc.integer({ min: numberOf(first), max: numberOf(last) }));

const octal = (value: number): string => `0${value.toString(8)}`;
const hex = (value: number): string => `0x${value.toString(16)}`;
/** How programs read a number as an IPv4 address (inet_aton). */
const SPELLINGS: ((number: number) => string)[] = [
  dotted,
  (number) => String(number),
  hex,
  octal,
  (number) => bytesOf(number).map(octal).join('.'),
  (number) => bytesOf(number).map(hex).join('.'),
  (number) => `${bytesOf(number)[0]}.${number & 0xffffff}`,
  (number) =>
    bytesOf(number)
      .slice(0, 2)
      .concat(number & 0xffff)
      .join('.'),
  (number) => `${dotted(number)}.`,
  (number) => dotted(number).replace(/\d/g, (digit) => String.fromCodePoint(0xff10 + Number(digit))),
];
const groupsOf = (number: number): string => {
  const [a = 0, b = 0, c = 0, d = 0] = bytesOf(number);
  return `${(a * 256 + b).toString(16)}:${(c * 256 + d).toString(16)}`;
};
/** IPv6 addresses that stand for an IPv4 address. */
const WRAPPED: ((number: number) => string)[] = [
  (number) => `::ffff:${dotted(number)}`,
  (number) => `::ffff:${groupsOf(number)}`,
  (number) => `0:0:0:0:0:ffff:${groupsOf(number)}`,
  (number) => `::${groupsOf(number)}`,
  (number) => `::ffff:0:${groupsOf(number)}`,
  (number) => `64:ff9b::${groupsOf(number)}`,
  (number) => `64:ff9b:1::${groupsOf(number)}`,
  (number) => `2002:${groupsOf(number)}::1`,
];

test('no spelling of an address of a private network passes', () => {
  fc.assert(
    fc.property(
      privateNumber,
      fc.constantFrom(...SPELLINGS),
      fc.constantFrom('', ':8443'),
      (number, spell, port) => {
        expect(refused(`https://${spell(number)}${port}/hook`)).toBe(true);
      },
    ),
    { numRuns: 2000 },
  );
});

test('no IPv6 address that stands for an IPv4 address passes, whatever that one is', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 0xffffffff }), fc.constantFrom(...WRAPPED), (number, wrap) => {
      expect(isPublicAddress(wrap(number))).toBe(false);
      expect(refused(`https://[${wrap(number)}]/`)).toBe(true);
    }),
    { numRuns: 2000 },
  );
});

test.each([
  '[::1]',
  '[::]',
  '[fe80::1]',
  '[fe80::1%25eth0]',
  '[fc00::1]',
  '[fd12:3456::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  '[2001::1]',
  '[100::1]',
  '[4000::1]',
  'localhost',
  'LOCALHOST.',
  'api.localhost',
  'printer.local',
  'metadata.google.internal',
  'router.home.arpa',
  'intranet',
  'example.com..',
  'ada@example.com',
  'ada:secret@example.com',
  'example.com:25',
  'example.com:22',
])('refused: https://%s/', (host) => {
  expect(refused(`https://${host}/`)).toBe(true);
});

test.each([
  'http://example.com/',
  'ftp://example.com/',
  'file:///etc/passwd',
  'gopher://example.com/',
  'javascript:1',
  'example.com',
])('refused: %s', (url) => {
  expect(refused(url)).toBe(true);
});

test.each([
  'https://example.com/hook?a=1',
  'https://example.com./',
  'https://example.com:8443/',
  'https://8.8.8.8/',
  'https://0x08080808/',
  'https://[2606:4700:4700::1111]/',
  'https://bücher.example/',
])('passes: %s', (url) => {
  expect(refusalOfUrl(url, 'refused')).toBeUndefined();
});

test('the loopback interface alone passes where it is allowed, by http too', () => {
  for (const url of ['http://127.0.0.1:9000/', 'http://localhost:80/', 'https://[::1]:9000/'])
    expect(refusalOfUrl(url, 'allowed')).toBeUndefined();
  for (const url of [
    'http://example.com/',
    'http://10.0.0.1/',
    'https://169.254.169.254/',
    'https://[fe80::1]/',
  ])
    expect(refusalOfUrl(url, 'allowed')).toBeDefined();
});
