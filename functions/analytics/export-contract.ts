import { ExportReport } from '../../lib/export/export-report.ts';
import type { Contracts } from '../../lib/http/contract.ts';
import { QUERIES } from './limits.ts';

export const exportRoutes = {
  exportReport: {
    method: 'GET',
    path: '/api/v1/sites/:siteId/analytics/export',
    tag: 'Export',
    summary: 'All rows of a report as a file',
    description:
      'CSV by RFC 4180 with a header; a text that a spreadsheet would take for a formula has an apostrophe before it; a list ' +
      'within a row is one cell, as JSON. With ' +
      '`format=json` a JSON array of the same items (`application/json`). It is read in parts of 5000 rows: of longer lists, ' +
      'rows may move between parts while events come in.',
    auth: 'member',
    input: ExportReport,
    limit: QUERIES,
    responses: { 200: { description: 'The file.', contentType: 'text/csv; charset=utf-8; header=present' } },
    errors: ['NOT_FOUND'],
  },
} as const satisfies Contracts;
