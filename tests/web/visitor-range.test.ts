import { describe, expect, it } from 'vitest';
import type { Overview, ReportMeta } from '../../web/app/api/operations.generated.ts';
import { leastVisitors } from '../../web/app/views/site/visitor-range.ts';

const overview = (anonymousSessions: number, consented: number) =>
  ({
    visitors: anonymousSessions + consented,
    tiers: { visitors: { anonymousSessions, consented } },
  }) as Overview;

const meta = (
  from: string,
  to: string,
  { since = '2026-01-01T00:00:00Z', now = '2026-12-01T00:00:00Z' } = {},
) => ({ range: { from, to }, coverage: { since }, freshness: { evaluatedAt: now } }) as ReportMeta;

const WEEK = ['2026-03-02T00:00:00Z', '2026-03-09T00:00:00Z'] as const;

describe('The least number of visitors', () => {
  it('adds the mean of anonymous visitors a UTC day to the consented ones', () => {
    expect(leastVisitors(overview(70, 5), meta(...WEEK))).toBe(15);
    expect(leastVisitors(overview(71, 5), meta(...WEEK))).toBe(16);
  });

  it('counts each UTC day that the range touches', () => {
    expect(leastVisitors(overview(80, 0), meta('2026-03-01T23:00:00Z', '2026-03-08T23:00:00Z'))).toBe(10);
  });

  it('leaves out the days before the first event and after now', () => {
    const seen = { since: '2026-03-04T12:00:00Z', now: '2026-03-05T12:00:00Z' };
    expect(leastVisitors(overview(70, 5), meta(...WEEK, seen))).toBe(40);
  });

  it('is no other number within one UTC day, without anonymous visitors, and where tiers are withheld', () => {
    expect(
      leastVisitors(overview(70, 5), meta('2026-03-02T00:00:00Z', '2026-03-03T00:00:00Z')),
    ).toBeUndefined();
    expect(leastVisitors(overview(0, 5), meta(...WEEK))).toBeUndefined();
    expect(leastVisitors({ visitors: 75 } as Overview, meta(...WEEK))).toBeUndefined();
  });
});
