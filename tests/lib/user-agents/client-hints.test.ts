import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hintHeaders, readHints } from '../../../lib/user-agents/client-hints.ts';

test.each([
  [
    ['"Google Chrome";v="141", "Not?A_Brand";v="8", "Chromium";v="141"', '?0', '"Windows"'],
    { brands: ['Google Chrome', 'Not?A_Brand', 'Chromium'], mobile: false, platform: 'Windows' },
  ],
  [
    ['"Not;A=Brand";v="8", "Chromium";v="138", "Google Chrome";v="138"', '?1', '"Android"'],
    { brands: ['Not;A=Brand', 'Chromium', 'Google Chrome'], mobile: true, platform: 'Android' },
  ],
  [['', '', ''], { brands: [] }],
  [['Chrome', '1', 'Windows'], { brands: [] }],
  [['"a\\"b";v="1"', '?2', '""'], { brands: ['a\\"b'], platform: '' }],
] as const)('%j', (headers, hints) => expect(readHints(headers)).toEqual(hints));

test('are read by their names', () => {
  const headers = new Headers({ 'Sec-CH-UA-Mobile': '?1', 'Sec-CH-UA': '"a";v="1"' });
  expect(hintHeaders(headers)).toEqual(['"a";v="1"', '?1', '']);
});

test('any text is read, and long ones are cut', () => {
  fc.assert(fc.property(fc.string(), fc.string(), fc.string(), (...headers) => void readHints(headers)));
  expect(readHints([`"${'a'.repeat(600)}";v="1"`, '', '']).brands).toEqual([]);
});
