/** docs/reports.md names each report that has a route. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { reportRoutes } from '../../functions/analytics/report-contract.ts';

const BASE = '/api/v1/sites/:siteId/analytics/';

test('each report has a row', async () => {
  const document = await readFile(new URL('../../docs/reports.md', import.meta.url), 'utf8');
  const names = Object.values(reportRoutes).map(({ path }) => path.slice(BASE.length));
  const rows = document.split('\n').filter((line) => line.startsWith('| '));
  expect(names.filter((name) => !rows.some((row) => row.includes(`\`${name}\``)))).toEqual([]);
});
