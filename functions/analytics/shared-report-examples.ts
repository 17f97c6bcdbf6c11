import type { Examples } from '../../lib/http/examples.ts';
import { type RouteExample, SAMPLE } from '../../lib/http/examples.ts';
import type { SharedSite } from '../../lib/shares/schemas.ts';
import { sampleMeta } from './sample-meta.ts';
import type { shareRoutes } from './shared-report-contract.ts';

const here = { secret: SAMPLE.shareSecret };
const locked = { secret: SAMPLE.lockedSecret };
const unknownShare: RouteExample = {
  summary: 'Nobody’s link',
  status: 404,
  params: { secret: 'A'.repeat(43) },
};
const site: SharedSite = {
  name: 'For the board',
  site: { name: 'Six Strings', domain: 'example.pt', timezone: 'Europe/Lisbon' },
  reports: ['overview', 'timeseries', 'pages'],
  expiresAt: null,
};

export const shareExamples: Examples<typeof shareRoutes> = {
  getShare: [
    { summary: 'A link', status: 200, params: here, response: { data: site } },
    { summary: 'A locked one', status: 401, params: locked },
    unknownShare,
  ],
  unlockShare: [
    {
      summary: 'The right password',
      status: 200,
      params: locked,
      body: { password: 'salt and brine' },
      response: {
        data: {
          token: 'agvT8JgBk2m4xWqT7sLh0ZcVdE1fRyUoPiNbMaKjHg3QwXtS',
          expiresAt: '2026-11-21T10:00:00.000Z',
        },
      },
    },
    { summary: 'A wrong one', status: 401, params: locked, body: { password: 'pepper' } },
    { summary: 'A share without a password', status: 409, params: here, body: { password: 'pepper' } },
    { ...unknownShare, body: { password: 'pepper' } },
  ],
  getSharedReports: [
    {
      summary: 'Two reports of 7 days',
      status: 200,
      params: here,
      query: { report: 'overview,pages:20', period: '7d' },
    },
    {
      summary: 'One that it does not show',
      status: 200,
      params: here,
      query: { report: 'pages,event-props' },
      response: {
        data: {
          pages: {
            data: [{ path: '/', visitors: 312, visits: 402, pageviews: 1177, reach: 430 }],
            meta: { nextCursor: null },
          },
          'event-props': { error: 'NOT_FOUND', message: 'No such report.' },
        },
        meta: sampleMeta,
      },
    },
    { summary: 'No report', status: 400, params: here },
    { summary: 'A locked share', status: 401, params: locked, query: { report: 'pages' } },
    { ...unknownShare, query: { report: 'pages' } },
  ],
  getSharedReport: [
    {
      summary: 'Top pages of 7 days',
      status: 200,
      params: { ...here, report: 'pages' },
      query: { period: '7d', limit: '20' },
      response: {
        data: [{ path: '/', visitors: 312, visits: 402, pageviews: 1177, reach: 430 }],
        meta: { ...sampleMeta, nextCursor: null },
      },
    },
    {
      summary: 'A filter that keeps too few visits',
      status: 200,
      params: { ...here, report: 'pages' },
      query: { filter_city: 'Faro' },
      response: { data: null, meta: { ...sampleMeta, suppressed: true, withheldBelow: 5, nextCursor: null } },
    },
    { summary: 'A locked share', status: 401, params: { ...locked, report: 'pages' } },
    { summary: 'A report that it does not show', status: 404, params: { ...here, report: 'traces' } },
    { ...unknownShare, params: { ...unknownShare.params, report: 'pages' } },
    {
      summary: 'A wrong parameter',
      status: 400,
      params: { ...here, report: 'pages' },
      query: { limit: '0' },
    },
  ],
  getSharedGoalsReport: [
    { summary: 'Of 7 days', status: 200, params: here, query: { period: '7d' } },
    { summary: 'A locked share', status: 401, params: locked },
    unknownShare,
  ],
  getSharedFunnelReport: [
    { summary: 'Of 7 days', status: 200, params: here, query: { period: '7d' } },
    { summary: 'A locked share', status: 401, params: locked },
    unknownShare,
  ],
};
