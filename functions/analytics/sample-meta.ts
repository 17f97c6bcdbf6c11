import type { ReportMeta } from '../../lib/analytics/answers/schemas.ts';
import { SAMPLE } from '../../lib/http/examples.ts';

/** `meta` of documented examples. */
export const sampleMeta: ReportMeta = {
  scope: { siteId: SAMPLE.siteId, filters: {} },
  range: { from: '2026-10-22T23:00:00.000Z', to: '2026-11-22T00:00:00.000Z', timezone: 'Europe/Lisbon' },
  coverage: {
    observed: true,
    since: '2026-03-02T08:12:44.107Z',
    tiers: [1, 3],
    observedShare: 0.993,
    dropped: { bot: 1204, datacenter: 87, spam: 2, invalid: 0, hostname: 3, tier: 0, properties: 0 },
    other: {
      pages: 0,
      events: 0,
      terms: 318,
      campaigns: 0,
      sources: 0,
      places: 0,
      languages: 0,
      properties: 0,
    },
    imported: [],
  },
  freshness: {
    lastEventAt: '2026-11-21T09:13:37.021Z',
    foldedAt: '2026-11-21T09:13:38.300Z',
    evaluatedAt: '2026-11-21T09:13:40.000Z',
  },
};
