import fc from 'fast-check';
import { expect, test } from 'vitest';
import { addDays, daysBetween, weekdayOf } from '../../../lib/dates.ts';
import { CALENDAR_PERIODS, calendarDates, datesBefore } from '../../../lib/visits/calendar-periods.ts';

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
  expect(calendarDates(period, Date.parse(now), zone)).toEqual({ from, to });
});

test.each([
  ['today', '2026-11-28', ['2026-11-28', '2026-11-28'], ['2026-11-27', '2026-11-27']],
  ['yesterday', '2026-03-02', ['2026-03-01', '2026-03-01'], ['2026-02-28', '2026-02-28']],
  // Monday to Saturday.
  ['this_week', '2026-11-28', ['2026-11-23', '2026-11-28'], ['2026-11-16', '2026-11-21']],
  ['last_week', '2026-11-28', ['2026-11-16', '2026-11-22'], ['2026-11-09', '2026-11-15']],
  ['this_month', '2026-11-28', ['2026-11-01', '2026-11-28'], ['2026-10-01', '2026-10-28']],
  ['this_month', '2026-03-31', ['2026-03-01', '2026-03-31'], ['2026-02-01', '2026-02-28']],
  ['last_month', '2026-11-28', ['2026-10-01', '2026-10-31'], ['2026-09-01', '2026-09-30']],
  ['last_month', '2027-01-05', ['2026-12-01', '2026-12-31'], ['2026-11-01', '2026-11-30']],
] as const)('%s on %s is compared with the days before', (period, day, [from, to], [first, last]) => {
  const dates = calendarDates(period, Date.parse(`${day}T12:00:00Z`), 'UTC');
  expect(dates).toEqual({ from, to });
  expect(datesBefore(period, dates)).toEqual({ from: first, to: last });
});

test('what a period is compared with ends before it begins; weeks have the same days of the week', () => {
  fc.assert(
    fc.property(fc.constantFrom(...CALENDAR_PERIODS), fc.integer({ min: 0, max: 9000 }), (period, n) => {
      const now = Date.parse(`${addDays('2020-01-01', n)}T12:00:00Z`);
      const dates = calendarDates(period, now, 'UTC');
      const before = datesBefore(period, dates);
      expect(before.to < dates.from && before.from <= before.to).toBe(true);
      expect(daysBetween(before.from, before.to)).toBeLessThanOrEqual(
        daysBetween(dates.from, dates.to) + (period === 'last_month' ? 3 : 0),
      );
      if (period.endsWith('_week')) expect(weekdayOf(before.from)).toBe(weekdayOf(dates.from));
      if (period.endsWith('day')) expect(addDays(before.to, 1)).toBe(dates.from);
    }),
  );
});
