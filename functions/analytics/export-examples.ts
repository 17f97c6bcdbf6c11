import type { Examples } from '../../lib/http/examples.ts';
import { unknownSite } from '../../lib/http/examples.ts';
import type { exportRoutes } from './export-contract.ts';

export const exportExamples: Examples<typeof exportRoutes> = {
  exportReport: [
    {
      summary: 'All pages of 90 days',
      status: 200,
      query: { report: 'pages', period: '90d' },
      response: 'path,visitors,visits,pageviews,reach\r\n/,312,402,1177,430\r\n',
    },
    {
      summary: 'A month, by day',
      status: 200,
      query: { report: 'timeseries', from: '2026-10-01', to: '2026-10-31' },
    },
    { summary: 'Campaigns', status: 200, query: { report: 'utm', by: 'campaign', period: '30d' } },
    { summary: 'Journeys to a page', status: 200, query: { report: 'journeys', end: '/pricing' } },
    { summary: 'What an event brought', status: 200, query: { report: 'event-props', event: 'signup' } },
    { summary: 'What was kept out', status: 200, query: { report: 'dropped' } },
    { summary: 'A funnel that isn’t named', status: 400, query: { report: 'funnels' } },
    { summary: 'A part', status: 400, query: { report: 'pages', limit: '10' } },
    { summary: 'No report', status: 400, query: { period: '7d' } },
    { summary: 'A parameter of another report', status: 400, query: { report: 'pages', interval: 'day' } },
    { ...unknownSite, query: { report: 'pages' } },
  ],
};
