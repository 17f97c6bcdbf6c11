import { expect, test } from 'vitest';
import { looseBoundsBefore } from '../../../../lib/analytics/reading/report-range.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;
const MIDNIGHT = Date.parse('2026-11-10T00:00:00Z');

// The range begins at midnight of its zone: 14 hours before that of UTC in Kiritimati, 12 hours after it at the International Date Line.
test.each([-14, 0, 12])(
  'a visit that began just before a range whose zone shifts it by %i hours is found',
  (hours) => {
    const { after, before } = looseBoundsBefore(
      { from: '2026-11-10', to: '2026-11-12' },
      MIDNIGHT + 5 * DAY_MS,
    );
    const begin = MIDNIGHT + hours * HOUR_MS;
    expect(Date.parse(before)).toBeGreaterThan(begin - 1);
    expect(Date.parse(after)).toBeLessThan(begin - 24 * DAY_MS);
  },
);
