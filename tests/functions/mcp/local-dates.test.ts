import { expect, test } from 'vitest';
import { clockIn, namedDays } from '../../../functions/mcp/local-dates.ts';

const at = Date.parse;

test.each([
  ['yesterday', '2026-03-01T00:30:00Z', 'UTC', '2026-02-28', '2026-02-28'],
  // It is still the 28th there.
  ['yesterday', '2026-03-01T00:30:00Z', 'America/New_York', '2026-02-27', '2026-02-27'],
  ['today', '2026-03-01T00:30:00Z', 'America/New_York', '2026-02-28', '2026-02-28'],
  ['this_week', '2026-11-22T10:00:00Z', 'UTC', '2026-11-16', '2026-11-22'],
  ['this_week', '2026-11-23T10:00:00Z', 'UTC', '2026-11-23', '2026-11-23'],
  ['this_month', '2026-11-30T23:30:00Z', 'Europe/Madrid', '2026-12-01', '2026-12-01'],
  ['this_month', '2026-11-30T23:30:00Z', 'UTC', '2026-11-01', '2026-11-30'],
  ['last_week', '2026-11-22T10:00:00Z', 'UTC', '2026-11-09', '2026-11-15'],
  ['last_week', '2026-11-23T10:00:00Z', 'UTC', '2026-11-16', '2026-11-22'],
  ['last_week', '2026-11-22T23:30:00Z', 'Europe/Madrid', '2026-11-16', '2026-11-22'],
  ['last_month', '2026-03-31T10:00:00Z', 'UTC', '2026-02-01', '2026-02-28'],
  ['last_month', '2027-01-01T00:00:00Z', 'UTC', '2026-12-01', '2026-12-31'],
] as const)('%s at %s in %s is %s to %s', (period, now, zone, from, to) => {
  expect(namedDays(period, at(now), zone)).toEqual({ from, to });
});

test.each([
  ['2026-11-22T10:00:00Z', 'UTC', '2026-11-22T10:00:00+00:00'],
  ['2026-07-01T23:30:00Z', 'Europe/Lisbon', '2026-07-02T00:30:00+01:00'],
  ['2026-07-01T00:00:00Z', 'Asia/Kolkata', '2026-07-01T05:30:00+05:30'],
  ['2026-07-01T04:00:00Z', 'America/New_York', '2026-07-01T00:00:00-04:00'],
])('%s in %s is %s', (instant, zone, clock) => {
  expect(clockIn(at(instant), zone)).toBe(clock);
  expect(at(clock)).toBe(at(instant));
});
