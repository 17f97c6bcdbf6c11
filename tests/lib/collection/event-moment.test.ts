import { expect, test } from 'vitest';
import { minuteOf, momentOf } from '../../../lib/collection/event-moment.ts';

test('moments keep order, the minute and the day', () => {
  const noon = Date.UTC(2026, 10, 21, 12, 0, 30, 500);
  expect([0, 1, 2].map((n) => momentOf(noon, n) - noon)).toEqual([0, 1, 2]);
  expect(minuteOf(noon)).toBe(Date.UTC(2026, 10, 21, 12, 0));
  const midnight = Date.UTC(2026, 10, 22);
  expect(momentOf(midnight - 2, 19)).toBe(midnight - 1);
  expect(momentOf(midnight, 0)).toBe(midnight);
  expect(minuteOf(midnight)).toBe(midnight);
  expect(minuteOf(midnight - 1)).toBe(midnight - 60_000);
});
