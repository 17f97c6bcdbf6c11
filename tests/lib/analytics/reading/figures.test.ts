import { expect, test } from 'vitest';
import { percentChange, ratio } from '../../../../lib/analytics/reading/figures.ts';
import { daysOf, looseBounds, type Range, unitOf } from '../../../../lib/analytics/reading/report-range.ts';
import { isDate, isWithinMonths } from '../../../../lib/dates.ts';

test.each([
  [0, 0, 0],
  [5, 0, 0],
  [100, 3, 33.3],
  [200, 3, 66.7],
  [1, 1, 1],
])('%d of %d is %d', (part, whole, expected) => expect(ratio(part, whole)).toBe(expected));

test.each([
  [0, 0, 0],
  [0, 7, 100],
  [7, 0, -100],
  [3, 4, 33.3],
  [4, 3, -25],
  [10_000, 10_001, 0],
  [10_001, 10_000, 0],
  [1, 12, 1100],
])('from %d to %d is a change of %d percent', (before, after, expected) =>
  expect(percentChange(before, after)).toBe(expected),
);

test.each([
  ['2026-11-21', true],
  ['2024-02-29', true],
  ['2026-02-29', false],
  ['2026-13-01', false],
  ['2026-00-10', false],
  ['2026-1-1', false],
  ['1999-12-31', false],
  ['2026-11-21T00:00', false],
  ['', false],
])('%s is a date: %s', (text, expected) => expect(isDate(text)).toBe(expected));

test.each([
  ['2024-11-22', '2026-12-21', true],
  ['2024-11-22', '2026-12-22', false],
  ['2026-11-21', '2026-11-21', true],
])('%s to %s is within 25 months: %s', (from, to, expected) =>
  expect(isWithinMonths(from, to, 25)).toBe(expected),
);

test.each<[Range, number, string]>([
  [{ period: '24h' }, 2, 'hour'],
  [{ period: '7d' }, 7, 'day'],
  [{ period: '30d' }, 30, 'day'],
  [{ period: '90d' }, 90, 'day'],
  [{ from: '2026-03-28', to: '2026-03-30' }, 3, 'day'],
  [{ from: '2026-11-21', to: '2026-11-21' }, 1, 'day'],
])('%o has %d days, in buckets of a %s', (range, days, unit) => {
  expect(daysOf(range)).toBe(days);
  expect(unitOf(range)).toBe(unit);
});

test('loose bounds hold the range in the zones furthest from UTC', () => {
  const now = Date.parse('2026-11-21T12:00:00.000Z');
  const dates = looseBounds({ from: '2026-11-20', to: '2026-11-20' }, now);
  expect(dates.after < '2026-11-19T10:00:00.000Z').toBe(true);
  expect(dates.before > '2026-11-21T12:00:00.000Z').toBe(true);
  const days = looseBounds({ period: '7d' }, now);
  expect(days.after < '2026-11-14T10:00:00.000Z').toBe(true);
  expect(days.before > '2026-11-22T12:00:00.000Z').toBe(true);
});
