import { type Examples, NOBODYS, SAMPLE, unknownSite } from '../../lib/http/examples.ts';
import type { batchRoutes } from './batch-contract.ts';
import { sampleMeta } from './sample-meta.ts';

const totals = { visitors: 312, visits: 402, pageviews: 1177 };

export const batchExamples: Examples<typeof batchRoutes> = {
  getReports: [
    {
      summary: 'The first page of a dashboard',
      status: 200,
      query: { report: 'timeseries,pages:5,sources,engagement', filter_country: 'PT' },
      response: {
        data: {
          timeseries: {
            data: [{ time: '2026-10-22T23:00:00.000Z', ...totals, bounceRate: 41.3, avgDuration: 96.4 }],
          },
          pages: { data: [{ path: '/', ...totals, reach: 430 }], meta: { nextCursor: null } },
          sources: { data: [{ value: 'Google', ...totals }], meta: { nextCursor: null } },
          engagement: {
            error: 'VALIDATION_ERROR',
            message: 'The request breaks the rules named in `details`.',
            details: [
              {
                path: 'filter_country',
                message:
                  'is no filter of this report: attention to consented page views (tier 3) is summed by page, not by device, country or source. It takes `filter_page` and `filter_privacy_tier`',
              },
            ],
          },
        },
        meta: {
          ...sampleMeta,
          scope: { siteId: SAMPLE.siteId, filters: { country: { operator: 'is', values: ['PT'] } } },
        },
      },
    },
    { summary: 'One report', status: 200, query: { report: 'overview' } },
    {
      summary: 'With the parameters of some',
      status: 200,
      query: {
        report: 'timeseries,pages,journeys:3',
        period: '90d',
        interval: 'week',
        sort: 'pageviews',
        end: '/signup',
      },
    },
    {
      summary: 'Campaigns, and who is there',
      status: 200,
      query: { report: 'utm_source,utm_campaign,live' },
    },
    {
      summary: 'Of a funnel and of an event',
      status: 200,
      query: { report: 'funnels,event-props,goals', funnel: NOBODYS, event: 'purchase' },
    },
    { summary: 'No report', status: 400, query: { period: '7d' } },
    { summary: 'An unknown report', status: 400, query: { report: 'overview,traces' } },
    { summary: 'A report twice', status: 400, query: { report: 'pages,pages:5' } },
    { summary: 'Too long a list', status: 400, query: { report: 'pages:101' } },
    { summary: 'A limit of what is no list', status: 400, query: { report: 'overview:5' } },
    { summary: 'A parameter of another report', status: 400, query: { report: 'overview', interval: 'day' } },
    { summary: 'Half a range', status: 400, query: { report: 'overview', from: '2026-09-01' } },
    { ...unknownSite, query: { report: 'overview' } },
  ],
};
