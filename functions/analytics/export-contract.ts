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
      'CSV (RFC 4180) with a header. Text that a spreadsheet would run as a formula gets an apostrophe before it. A list ' +
      'within an item has a column for each of its entries: `revenue.EUR`, `returned.1`, `parts.Google.visits`. `format=json` gives a JSON array of the same items (`application/json`). The ' +
      'report is read in parts of 5000 rows: in longer lists, rows may move between parts while new events arrive.',
    auth: 'member',
    input: ExportReport,
    limit: QUERIES,
    responses: { 200: { description: 'The file.', contentType: 'text/csv; charset=utf-8; header=present' } },
    errors: ['NOT_FOUND'],
  },
} as const satisfies Contracts;
