import * as v from 'valibot';
import { EngagementItem, VitalsItem, VitalsMeta } from '../../lib/analytics/measure-schemas.ts';
import type { RouteContract } from '../../lib/http/contract.ts';
import { MeasuresQuery } from './query.ts';
import { bad, limits, ok, report } from './report-contract.ts';

const examples = [
  ok('The last 7 days', { period: '7d' }),
  ok('Two months, by date', { from: '2026-09-01', to: '2026-10-31' }),
  ok('Only consented analytics, which is all there is', { period: '24h', filter_privacy_tier: '3' }),
  ok('Of the blog', { period: '7d', filter_page: '~/blog/' }),
  bad('By country, which sums by page don’t know', { period: '7d', filter_country: 'PT' }),
  bad('A tier that does not exist', { period: '7d', filter_privacy_tier: '4' }),
  bad('Half a range', { from: '2026-09-01' }),
  ...limits,
];
const FILTERS = 'It can be filtered by page alone. Others are refused.';

/** What the OpenAPI document says of the reports on how pages were read and how fast they were. */
export const measureRoutes: RouteContract[] = [
  report(
    'engagement',
    {
      summary: 'How long and how far down pages were looked at',
      description: `Of consented page views (tier 3), by how many were measured; each counts when it happened. ${FILTERS}`,
      query: MeasuresQuery,
      data: v.array(EngagementItem),
      sample: [
        {
          path: '/pricing',
          measured: 204,
          seconds: 41.7,
          scrollDepth: 68.4,
          scrolled25: 201,
          scrolled50: 160,
          scrolled75: 88,
          scrolled100: 37,
        },
      ],
      isList: true,
      tiers: [3],
    },
    examples,
  ),
  report(
    'vitals',
    {
      summary: 'How fast pages were',
      description: `The 75th percentile of each web vital, of consented loads (tier 3), by how many there were. ${FILTERS}`,
      query: MeasuresQuery,
      data: v.array(VitalsItem),
      sample: [
        { path: '/pricing', measured: 131, lcp: 1893.2, inp: 88.4, cls: 0.0131, fcp: 1104.6, ttfb: 312.5 },
      ],
      isList: true,
      tiers: [3],
      meta: { entries: VitalsMeta.entries, sample: { approximate: { relativeError: 0.01 } } },
    },
    examples,
  ),
];

export const measureComponents = { EngagementItem, VitalsItem };
