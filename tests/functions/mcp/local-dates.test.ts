import { expect, test } from 'vitest';
import { clockIn } from '../../../functions/mcp/local-dates.ts';

const at = Date.parse;

test.each([
  ['2026-11-22T10:00:00Z', 'UTC', '2026-11-22T10:00:00+00:00'],
  ['2026-07-01T23:30:00Z', 'Europe/Lisbon', '2026-07-02T00:30:00+01:00'],
  ['2026-07-01T00:00:00Z', 'Asia/Kolkata', '2026-07-01T05:30:00+05:30'],
  ['2026-07-01T04:00:00Z', 'America/New_York', '2026-07-01T00:00:00-04:00'],
])('%s in %s is %s', (instant, zone, clock) => {
  expect(clockIn(at(instant), zone)).toBe(clock);
  expect(at(clock)).toBe(at(instant));
});
