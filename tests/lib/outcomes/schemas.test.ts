import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { NewOutcome } from '../../../lib/outcomes/schemas.ts';

const outcome = { source: 's', domainEventId: '1', type: 't', occurredAt: '2026-11-20T09:00:00Z' };
const accepts = (change: object) => v.safeParse(NewOutcome, { ...outcome, ...change }).success;

test.each([
  ['source', '', false],
  ['source', 's'.repeat(128), true],
  ['source', 's'.repeat(129), false],
  ['domainEventId', '', false],
  ['domainEventId', 4711, false],
  ['domainEventId', '1'.repeat(256), true],
  ['domainEventId', '1'.repeat(257), false],
  ['type', 't'.repeat(65), false],
  ['occurredAt', '2026-11-20T09:00:00.123456789+05:30', true],
  ['occurredAt', '2024-02-29T00:00:00Z', true],
  ['occurredAt', '2026-02-29T00:00:00Z', false],
  ['occurredAt', '2026-02-31T00:00:00Z', false],
  ['occurredAt', '2026-11-20', false],
  ['occurredAt', '2026-11-20T09:00:00', false],
  ['occurredAt', '2026-11-20 09:00:00Z', false],
  ['occurredAt', '2026-11-20T24:00:00Z', false],
  ['occurredAt', '2026-11-20T09:00:60Z', false],
  ['occurredAt', 1_763_629_200_000, false],
  ['occurredAt', '0000-01-01T00:00:00Z', false],
  ['occurredAt', '1969-12-31T23:59:59Z', false],
  ['occurredAt', '2000-02-29T00:00:00Z', true],
  ['occurredAt', '2100-02-29T00:00:00Z', false],
  ['traceId', 'a'.repeat(32), true],
  ['traceId', 'A'.repeat(32), true],
  ['traceId', '0'.repeat(32), false],
  ['traceId', 'a'.repeat(31), false],
  ['spanId', 'a'.repeat(16), false],
  ['siteId', 'site', false],
  ['sessionId', '', false],
  ['sessionId', 's'.repeat(129), false],
  ['attributes', {}, true],
  ['attributes', ['a'], false],
  ['attributes', { nested: {} }, false],
  ['attributes', { none: null }, false],
  ['attributes', { text: 'x'.repeat(1025) }, false],
  ['attributes', { ['k'.repeat(129)]: 1 }, false],
  ['attributes', Object.fromEntries(Array.from({ length: 50 }, (_, n) => [`k${n}`, n])), true],
  ['attributes', Object.fromEntries(Array.from({ length: 51 }, (_, n) => [`k${n}`, n])), false],
  ['surprise', 1, false],
])('%s %j: %s', (field, value, ok) => {
  expect(accepts({ [field]: value })).toBe(ok);
});

describe('money', () => {
  test.each([
    ['0', true],
    ['12.34', true],
    ['0012.34', true],
    ['12.3400', false],
    ['999999999999.99', true],
    ['1000000000000', false],
    ['12.34567', false],
    ['12.', false],
    ['.5', false],
    ['-1', false],
    ['+1', false],
    ['1e3', false],
    ['1,5', false],
    ['NaN', false],
    ['', false],
    [' 1', false],
    ['١', false],
    [12.34, false],
  ])('amount %j: %s', (amount, ok) => {
    expect(accepts({ value: { amount, currency: 'EUR' } })).toBe(ok);
  });

  test.each([
    ['EUR', true],
    ['JPY', true],
    ['XCG', true],
    ['ZWG', true],
    ['eur', false],
    ['EURO', false],
    ['XXX', false],
    ['XTS', false],
    ['BTC', false],
    ['DEM', false],
    ['', false],
  ])('currency %j: %s', (currency, ok) => {
    expect(accepts({ value: { amount: '1', currency } })).toBe(ok);
  });

  test('needs both, and nothing else', () => {
    expect(accepts({ value: { amount: '1' } })).toBe(false);
    expect(accepts({ value: { currency: 'EUR' } })).toBe(false);
    expect(accepts({ value: { amount: '1', currency: 'EUR', tax: '0.19' } })).toBe(false);
  });
});

test('times are kept to the millisecond, in UTC', () => {
  const parsed = v.parse(NewOutcome, { ...outcome, occurredAt: '2026-11-20T09:00:00.1239+05:30' });
  expect(parsed.occurredAt).toBe('2026-11-20T03:30:00.123Z');
});
