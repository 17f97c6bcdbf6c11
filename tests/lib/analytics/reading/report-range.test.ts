import { expect, test } from 'vitest';
import {
  type Compare,
  comparedRange,
  endsWithBucket,
  type Interval,
  looseBounds,
  looseBoundsBefore,
  type Range,
  wholeRange,
} from '../../../../lib/analytics/reading/report-range.ts';
import { partialOf } from '../../../../lib/analytics/series/timeseries.ts';

const dates = (from: string, to: string) => ({ from, to });
const june = dates('2026-06-01', '2026-06-30');

test.each<[string, string, Interval, boolean]>([
  ['2026-06-17T05:00:00.000Z', 'UTC', 'hour', true],
  ['2026-06-17T00:00:00.000Z', 'UTC', 'day', true],
  // A Monday.
  ['2026-06-15T00:00:00.000Z', 'UTC', 'week', true],
  ['2026-06-14T00:00:00.000Z', 'UTC', 'week', false],
  ['2026-06-14T22:00:00.000Z', 'Europe/Berlin', 'week', true],
  ['2026-06-01T00:00:00.000Z', 'UTC', 'month', true],
  ['2026-06-15T00:00:00.000Z', 'UTC', 'month', false],
  ['2026-05-31T22:00:00.000Z', 'Europe/Berlin', 'month', true],
  ['2026-06-01T04:00:00.000Z', 'America/New_York', 'month', true],
  ['2026-06-01T00:00:00.000Z', 'America/New_York', 'month', false],
])('whether at %s in %s a %s begins: %s', (to, timezone, interval, begins) => {
  expect(endsWithBucket({ from: '', to, timezone }, interval)).toBe(begins);
});

test.each<[Range, Compare, Range, boolean]>([
  [{ period: '7d' }, 'previous', { period: '7d', shifted: 'previous' }, true],
  [{ period: '24h' }, 'year', { period: '24h', shifted: 'year' }, true],
  [june, 'weekdays', { ...june, shifted: 'weekdays' }, true],
  [{ period: '7d' }, june, june, true],
  // Hours are never cut by days.
  [{ period: '24h' }, june, june, false],
])('%o is compared by %o with %o', (range, compare, other, isCut) => {
  const compared = comparedRange(range, compare);
  expect(compared).toEqual(isCut ? { ...other, elapsedOf: range } : other);
  expect(wholeRange(compared)).toEqual(other);
});

/** The zone may be half a day away on either side, and clocks may change: two days are enough. */
test.each<[Range, string, string]>([
  [{ period: '24h' }, '2026-06-13', '2026-06-19'],
  [{ period: '7d' }, '2026-06-08', '2026-06-19'],
  [{ period: '7d', shifted: 'previous' }, '2026-06-01', '2026-06-12'],
  [{ period: '7d', shifted: 'weekdays' }, '2026-06-01', '2026-06-12'],
  [{ period: '30d', shifted: 'previous' }, '2026-04-16', '2026-05-20'],
  [{ period: '30d', shifted: 'weekdays' }, '2026-04-11', '2026-05-15'],
  [{ period: '7d', shifted: 'year' }, '2025-06-08', '2025-06-19'],
  [june, '2026-05-30', '2026-07-03'],
  [{ ...june, shifted: 'previous' }, '2026-04-30', '2026-06-03'],
  [{ ...june, shifted: 'weekdays' }, '2026-04-25', '2026-05-29'],
  [{ ...june, shifted: 'year' }, '2025-05-30', '2025-07-03'],
])('%o lies between %s and %s', (range, after, before) => {
  const now = Date.parse('2026-06-17T00:00:00.000Z');
  const day = (date: string) => `${date}T00:00:00.000Z`;
  expect(looseBounds(range, now)).toEqual({ after: day(after), before: day(before) });
  const earlier = looseBoundsBefore(range, now);
  expect(Date.parse(day(after)) - Date.parse(earlier.after)).toBe(25 * 86_400_000);
  expect(Date.parse(earlier.before) - Date.parse(day(after))).toBe(4 * 86_400_000);
});

test.each<[string, Interval, string, string, boolean]>([
  ['over', 'day', '2026-06-16', '2026-06-17', false],
  ['today', 'day', '2026-06-17', '2026-06-18', true],
  ['that began before the range', 'week', '2026-06-01', '2026-06-08', true],
  ['whole', 'week', '2026-06-08', '2026-06-15', false],
  // The range ends on a Wednesday.
  ['that goes on after the range', 'week', '2026-06-15', '2026-06-17', true],
  ['of days that ends with the range', 'day', '2026-06-16', '2026-06-17', false],
])('whether a bucket %s is partial', (_, interval, from, to, isPartial) => {
  const at = (date: string) => `${date}T00:00:00.000Z`;
  const meta = {
    range: { from: at('2026-06-03'), to: at('2026-06-17'), timezone: 'UTC' },
    freshness: { lastEventAt: null, foldedAt: null, evaluatedAt: '2026-06-17T00:00:00.000Z' },
  };
  const partial = partialOf(interval, meta as Parameters<typeof partialOf>[1]);
  expect(partial({ time: at(from), ends_at: new Date(at(to)) })).toBe(isPartial);
});
