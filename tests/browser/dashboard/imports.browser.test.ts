/** Files of other tools are imported in the settings of a site, as the command imports them. */
import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import type { ImportSource } from '../../../lib/visits/imported-data.ts';
import { importApi } from '../../../scripts/import/import-api.ts';
import { runImport } from '../../../scripts/import/run-import.ts';
import { FIXTURES, GA4, useFolder } from '../../scripts/import/import-world.ts';
import { zip } from '../../scripts/import/zip.ts';
import type { Tenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { askApi, newSite, openDashboard } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();
const folderOf = useFolder();

const PLAUSIBLE = Object.fromEntries(
  globSync(join(FIXTURES, 'plausible/*.csv')).map((path) => [basename(path), readFileSync(path, 'utf8')]),
);
const REPORTS =
  'overview,timeseries,pages,entry-pages,exit-pages,sources,channels,countries,regions,devices,browsers,events';

/** What is imported of a site, and its reports of the days. */
async function importedOf(owner: Tenant) {
  const ask = async (path: string) => {
    const { status, body } = await askApi(stack(), owner, 'GET', `/sites/${owner.siteId}${path}`);
    expect(status).toBe(200);
    return body.data;
  };
  const { imports } = await ask('/imports');
  const reports = await ask(`/analytics/reports?from=2026-03-27&to=2026-03-31&report=${REPORTS}`);
  return {
    imports: imports.map(
      ({ id: _, createdAt: __, finishedAt: ___, ...shown }: Record<string, unknown>) => shown,
    ),
    reports: Object.entries(reports as Record<string, { data: unknown }>).map(([name, { data }]) => {
      expect(data).toBeDefined();
      return [name, data];
    }),
  };
}

async function openImports() {
  const owner = await newSite(stack());
  const opened = await openDashboard(stack(), newContext, owner, `/sites/${owner.siteId}/settings`);
  const part = opened.page.getByRole('region', { name: 'Imported days', exact: true });
  await part.getByRole('button', { name: 'Import files' }).click();
  const choose = async (
    tool: string,
    files: Parameters<ReturnType<typeof part.locator>['setInputFiles']>[0],
  ) => {
    await part.getByLabel('Exported by').selectOption(tool);
    await part.getByLabel('Files of the export').setInputFiles(files);
    await part.getByRole('button', { name: 'Check the files' }).click();
  };
  return { owner, part, choose, ...opened };
}

test.each<[ImportSource, string, () => Promise<string[]>]>([
  ['plausible', 'Plausible', async () => [`${await folderOf({ 'export.zip': zip(PLAUSIBLE) })}/export.zip`]],
  ['umami', 'Umami', async () => [`${FIXTURES}umami/website_event.csv`]],
  ['ga4-csv', 'Google Analytics 4', async () => GA4],
])('%s: the figures are those of the command; undone they are gone', async (source, tool, filesOf) => {
  const paths = await filesOf();
  const byCommand = await newSite(stack());
  const { baseUrl } = stack();
  const access = { url: baseUrl, token: byCommand.token, siteId: byCommand.siteId };
  await runImport(importApi({ ...access, wait: async () => {} }), {
    ...{ siteId: byCommand.siteId, source, paths, dryRun: false, now: Date.now() },
    terminal: { write: () => {} },
  });
  const { owner, page, part, choose, complaints } = await openImports();
  const before = await importedOf(owner);
  await choose(source, paths);
  await part.getByText('Nothing is imported yet').waitFor();
  expect(await importedOf(owner)).toEqual(before);
  await part.getByRole('button', { name: 'Import', exact: true }).click();
  await part.getByText('The reports have them now').waitFor();
  const expected = await importedOf(byCommand);
  expect(expected.imports).toMatchObject([{ source, state: 'done', rows: expect.any(Number) }]);
  expect(await importedOf(owner)).toEqual(expected);
  expect(expected.reports).not.toEqual(before.reports);

  await part.getByRole('button', { name: 'Close' }).click();
  const entry = part.getByRole('listitem');
  expect(await entry.innerText()).toContain(tool);
  // The same days again are refused.
  await part.getByRole('button', { name: 'Import files' }).click();
  await choose(source, paths);
  expect(await part.getByRole('alert').innerText()).toContain(
    'the export: has days that were imported before',
  );
  await entry.first().getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
  await part.getByText('Nothing was imported').waitFor();
  expect(await importedOf(owner)).toEqual(before);
  expect(complaints).toEqual([]);
});

const HEAD = 'date,visitors,visits,pageviews';
const csv = (name: string, text: string) => ({ name, mimeType: 'text/csv', buffer: Buffer.from(text) });

test('faults are listed by line, nothing is sent, and the mended file is taken', async () => {
  const { owner, part, choose, complaints } = await openImports();
  const broken = `${HEAD}\n2026-03-28,7,many,20\n2026-03-29,4,5\n2026-02-30,4,5,9\n`;
  await choose('plausible', [csv('imported_visitors.csv', broken)]);
  await part.getByRole('alert').waitFor();
  expect(await part.getByRole('alert').getByRole('listitem').allInnerTexts()).toEqual([
    'imported_visitors.csv, line 2, column “visits”: must be a whole number from 0 to 2147483647',
    'imported_visitors.csv, line 3: must have 4 cells as the header has, and has 3',
    'imported_visitors.csv, line 4, column “date”: must be a date like 2026-11-21, of the years 2000 to 2099',
  ]);
  expect((await importedOf(owner)).imports).toEqual([]);

  await choose('plausible', [csv('imported_visitors.csv', `${HEAD}\n${'2026-03-28,x,1,1\n'.repeat(30)}`)]);
  await part.getByText('There may be more faults').waitFor();
  expect(await part.getByRole('alert').getByRole('listitem').count()).toBe(20);

  await choose('plausible', [csv('export.zip', 'PK\u0003\u0004 and nothing else')]);
  await part.getByText('export.zip: is not a valid ZIP archive').waitFor();

  await choose('plausible', [csv('imported_visitors.csv', `${HEAD}\n2026-03-28,7,9,20\n2026-03-29,4,5,9\n`)]);
  await part.getByText('Nothing is imported yet').waitFor();
  expect(await part.locator('dl').innerText()).toContain('Visits\n14\nPage views\n29');
  await part.getByRole('button', { name: 'Cancel' }).click();
  expect((await importedOf(owner)).imports).toEqual([]);
  expect(complaints).toEqual([]);
});

test('an import that a closed page broke off goes on where it stopped', async () => {
  const { owner, page, part, choose, go } = await openImports();
  const files = [`${await folderOf({ 'export.zip': zip(PLAUSIBLE) })}/export.zip`];
  const numbers: number[] = [];
  page.on('request', (request) => {
    if (request.url().endsWith('/pieces')) numbers.push(request.postDataJSON().number);
  });
  // The fourth piece never gets away.
  await page.route('**/pieces', (route) =>
    route.request().postDataJSON().number === 4 ? undefined : route.continue(),
  );
  const importAll = async () => {
    await choose('plausible', files);
    await part.getByRole('button', { name: 'Import', exact: true }).click();
  };
  await importAll();
  await expect.poll(() => numbers).toEqual([1, 2, 3, 4]);
  await go(`/sites/${owner.siteId}/settings`);
  await page.unroute('**/pieces');
  expect((await importedOf(owner)).imports).toMatchObject([{ state: 'receiving', pieces: 3 }]);
  numbers.length = 0;
  await part.getByRole('button', { name: 'Import files' }).click();
  await importAll();
  await part.getByText('The reports have them now').waitFor();
  expect(numbers[0]).toBe(4);
  expect((await importedOf(owner)).imports).toMatchObject([{ state: 'done', pieces: numbers.at(-1) }]);
});
