/** Exact limits of what is kept of an event that breaks a rule. */
import { describe, expect, test } from 'vitest';
import { repairEvents } from '../../../lib/collection/repair-events.ts';
import { sampleEvents } from './track-sample.ts';

const NEW_ID = crypto.randomUUID();
const repair = (...events: unknown[]) => repairEvents(events, () => NEW_ID);
const [view = {}, custom = {}] = sampleEvents();

/** The only event, and what was said of it. */
function repaired(event: object) {
  const { events, invalid, warnings } = repair(event);
  expect(invalid).toEqual([]);
  return { kept: events[0] as unknown as Record<string, unknown>, warnings };
}
const event = (changes: object) => repaired({ ...custom, ...changes });
const pageview = (changes: object) => repaired({ ...view, ...changes });

describe('a refused event', () => {
  test.each([['text'], [null], [[]], [7]])('%j has a new id', (item) => {
    expect(repair(item)).toEqual({
      events: [],
      invalid: [NEW_ID],
      warnings: ['Vendor: event must be an object; the event was dropped.'],
    });
  });

  test('keeps an id that is one, and the same id counts once', () => {
    const broken = { ...custom, name: '' };
    expect(repair(broken, broken)).toMatchObject({ events: [], invalid: [(custom as { id: string }).id] });
    expect(repair({ ...broken, id: 'x' }, { ...broken, id: 1 }).invalid).toEqual([NEW_ID]);
  });
});

describe('properties', () => {
  test('keys of 64, texts of 512 and 20 entries are as they should be', () => {
    const props = Object.fromEntries(
      Array.from({ length: 20 }, (_, n) => [`${n}`.padStart(64, 'k'), 'v'.repeat(512)]),
    );
    expect(event({ props })).toEqual({ kept: { ...custom, props }, warnings: [] });
  });

  test('one left out makes room for another', () => {
    const entries = Array.from({ length: 21 }, (_, n) => [`k${n}`, n === 3 ? null : n]);
    const { kept, warnings } = event({ props: Object.fromEntries(entries) });
    expect(Object.keys(kept.props as object)).toHaveLength(20);
    expect(warnings).toEqual(['Vendor: props.k3 must be text, a number, true or false; it was left out.']);
  });

  test.each([[Number.POSITIVE_INFINITY], [Number.NaN], [undefined]])('%s is none', (a) => {
    expect(event({ props: { a, b: 0, c: false, d: '' } }).kept.props).toEqual({ b: 0, c: false, d: '' });
  });

  test.each(['a\0', 'a\ud800', '__proto__', 'prototype', 'constructor'])('%j is no key', (key) => {
    const { kept, warnings } = event({ props: JSON.parse(`{${JSON.stringify(key)}:1,"b":2}`) });
    expect(kept.props).toEqual({ b: 2 });
    expect(warnings).toEqual([
      expect.stringMatching(/needs another name, of at most 64 characters; it was left out\.$/),
    ]);
  });

  test('a text as long as it may be, with what can’t be stored, says that', () => {
    const { warnings } = event({ props: { a: `${'x'.repeat(511)}\0` } });
    expect(warnings).toEqual(['Vendor: props.a had characters that can’t be stored; they were left out.']);
  });

  test('a text of nothing that can be stored is empty', () => {
    expect(event({ props: { a: '\0' } }).kept.props).toEqual({ a: '' });
  });
});

test.each([
  [12.34567, '12.3457'],
  [0, '0'],
  [0.00004, '0'],
  [10.5, '10.5'],
  [100, '100'],
  [999_999_999_999, '999999999999'],
  ['1.2345', '1.2345'],
  ['1.23456', '1.2346'],
  ['1.50000', '1.5'],
  ['10.00000', '10'],
  [' 7 ', '7'],
  ['1.5000', '1.5000'],
  [`1.${'1'.repeat(40)}`, '1.1111'],
  [`1.${'1'.repeat(41)}`, undefined],
  ['1234567890123.12345', undefined],
  ['1.', undefined],
  ['x1.23456', undefined],
  ['1.23456x', undefined],
  [1_000_000_000_000, undefined],
  [true, undefined],
])('an amount of %s is %s', (amount, expected) => {
  const { kept, warnings } = event({ revenue: { amount, currency: ' eur ' } });
  expect(kept.revenue).toEqual(expected === undefined ? undefined : { amount: expected, currency: 'EUR' });
  expect(warnings).toHaveLength(expected === undefined ? 1 : 0);
});

test.each([
  ['12.34 EUR', true],
  ['12.34\t\teur', true],
  ['EUR 12.34', false],
  ['12.34', false],
  ['12.34EUR', false],
  ['12.34 EUR 50', false],
])('revenue of one text: %j', (revenue, isTaken) => {
  expect(event({ revenue }).kept.revenue).toEqual(isTaken ? { amount: '12.34', currency: 'EUR' } : undefined);
});

describe('an address', () => {
  const address = (length: number, end = '') => {
    const start = 'https://example.com/?x=';
    return start + 'x'.repeat(length - start.length - end.length) + end;
  };

  test('of 8192 characters stays as it is, and of one more loses its parameters', () => {
    const whole = address(8192, '#/a');
    expect(event({ url: whole }).kept.url).toBe(whole);
    expect(event({ url: address(8193, '&ref=b#/a') }).kept.url).toBe('https://example.com/?ref=b#/a');
  });

  test.each([
    ['the fragment fits to the character', 8192 - 'https://example.com/?ref=b#'.length, true],
    ['the fragment is a character too long', 8193 - 'https://example.com/?ref=b#'.length, false],
  ])('%s', (_, length, isKept) => {
    const fragment = `#${'f'.repeat(length)}`;
    const short = 'https://example.com/?ref=b';
    expect(event({ url: `https://example.com/?a=1&ref=b${fragment}` }).kept.url).toBe(
      short + (isKept ? fragment : ''),
    );
  });

  test('whose campaign alone is too long loses it', () => {
    expect(event({ url: `https://example.com/a?ref=${'b'.repeat(9000)}#c` }).kept.url).toBe(
      'https://example.com/a',
    );
  });
});

describe('what a browser says of itself goes without a word', () => {
  test.each<[field: string, sent: unknown, kept: unknown]>([
    ['title', 't'.repeat(2048), 't'.repeat(2048)],
    ['title', 't'.repeat(2049), 't'.repeat(2048)],
    ['title', 'a\0b', 'a b'],
    ['title', 5, undefined],
    ['language', 'x'.repeat(64), 'x'.repeat(64)],
    ['language', 'x'.repeat(65), undefined],
    ['language', 5, undefined],
    ['screen', '99999x1', '99999x1'],
    ['screen', '100000x1', undefined],
    ['screen', 1080, undefined],
    ['referrer', '', ''],
    ['referrer', 'https://news.example/a', 'https://news.example/a'],
    ['referrer', `https://news.example/${'r'.repeat(9000)}`, 'https://news.example'],
    ['referrer', `https://${'h'.repeat(9000)}.example/`, undefined],
    ['referrer', 'nowhere', undefined],
    ['referrer', `data:,${'r'.repeat(9000)}`, undefined],
    ['referrer', 5, undefined],
  ])('%s', (field, sent, kept) => {
    const found = pageview({ [field]: sent });
    expect([found.kept[field], found.warnings]).toEqual([kept, []]);
  });
});

test('a name of 64 characters stays, in an event alone', () => {
  expect(event({ name: 'n'.repeat(64) })).toMatchObject({ kept: { name: 'n'.repeat(64) }, warnings: [] });
  expect(pageview({ name: 'n'.repeat(65) }).warnings).toEqual([
    'Vendor: name is not a known field; it was left out.',
  ]);
});

test('of more than twenty warnings the first twenty are said', () => {
  const props = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, n) => [`k${n}`, null]));
  expect(event({ props: props(20) }).warnings).toHaveLength(20);
  const { warnings } = event({ props: props(21) });
  expect(warnings).toHaveLength(20);
  expect(warnings.at(-1)).toContain('k19');
});
