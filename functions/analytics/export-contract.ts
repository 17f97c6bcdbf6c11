import { type RouteContract, unknownSite } from '../../lib/http/contract.ts';
import { ExportQuery } from './export-query.ts';

/** What the OpenAPI document says of exports. */
export const exportRoutes: RouteContract[] = [
  {
    method: 'GET',
    path: '/api/v1/sites/:siteId/analytics/export',
    operationId: 'exportReport',
    tag: 'Export',
    summary: 'All rows of a report as a file',
    description:
      'CSV by RFC 4180 with a header; a text that a spreadsheet would take for a formula has an apostrophe before it; a list ' +
      'within a row is one cell, as JSON. With ' +
      '`format=json` a JSON array of the same items (`application/json`). It is read in parts of 5000 rows: of longer lists, ' +
      'rows may move between parts while events come in.',
    auth: 'apiToken',
    limited: true,
    query: ExportQuery,
    responses: { 200: { description: 'The file.', contentType: 'text/csv; charset=utf-8; header=present' } },
    errors: ['NOT_FOUND'],
    examples: [
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
  },
];
