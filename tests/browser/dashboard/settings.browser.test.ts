/** The settings of a site: name, snippet, privacy, shares, data of a visitor, deletion. */
import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { SHARED_REPORTS } from '../../../lib/shares/schemas.ts';
import { consented, pageview, session, visitor } from '../../lib/analytics/reports-world.ts';
import { addMember } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { askApi, newSite, openDashboard } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

const now = () => new Date(Date.now() - 3_600_000).toISOString();

async function openSettings() {
  const owner = await newSite(
    stack(),
    consented('Ada', [pageview(now(), '/')]),
    session('Bo', [pageview(now(), '/')]),
  );
  const path = `/sites/${owner.siteId}`;
  const opened = await openDashboard(stack(), newContext, owner, `${path}/settings`);
  await opened.page.getByRole('button', { name: 'Share reports' }).waitFor();
  const part = (name: string) => opened.page.getByRole('region', { name, exact: true });
  const ask = (method: string, below = '', body?: object) =>
    askApi(stack(), owner, method, path + below, body);
  return { owner, ...opened, part, ask };
}

test('the site gets another name, and its snippet is copied', async () => {
  const { page, part, ask, complaints } = await openSettings();
  await part('Website').getByLabel('Name', { exact: true }).fill('Six Strings');
  await part('Website').getByRole('button', { name: 'Save' }).click();
  await expect.poll(() => page.locator('h1').innerText()).toBe('Six Strings');
  const site = (await ask('GET')).body.data;
  expect(site.name).toBe('Six Strings');
  await part('Website').getByRole('button', { name: 'Copy' }).click();
  await part('Website').getByRole('button', { name: 'Copied' }).waitFor();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(site.snippet);
  expect(complaints).toEqual([]);
});

test('the site gets another domain and further ones, and a wrong one is refused with its rule', async () => {
  const { page, part, ask, complaints } = await openSettings();
  const form = part('Website');
  const save = form.getByRole('button', { name: 'Save' });
  expect(await save.isDisabled()).toBe(true);
  await form.getByLabel('Domain', { exact: true }).fill('https://www.Strings.example/start');
  await form.getByLabel('Further domains').fill('example.com\nhttps://shop.example/\n\nbücher.example');
  await save.click();
  await form.getByRole('status').getByText('Saved').waitFor();
  const domains = ['example.com', 'shop.example', 'xn--bcher-kva.example'];
  expect((await ask('GET')).body.data).toMatchObject({ domain: 'www.strings.example', domains });
  expect(await form.getByLabel('Further domains').inputValue()).toBe(domains.join('\n'));
  expect(await page.locator('a[href="https://www.strings.example/"]').count()).toBe(1);
  expect(complaints).toEqual([]);

  await form.getByLabel('Further domains').fill('shop');
  await save.click();
  await form.getByRole('alert').waitFor();
  expect((await ask('GET')).body.data.domains).toEqual(domains);
});

test('the site gets another time zone; until a large one has it, the page says so, and then how far the days are', async () => {
  const { owner, part, ask, complaints } = await openSettings();
  const form = part('Website');
  const choose = async (zone: string) => {
    await form.getByLabel('Time zone').selectOption(zone);
    await form.getByRole('button', { name: 'Save' }).click();
    await form.getByText('Saved', { exact: true }).waitFor();
  };
  await choose('Asia/Tokyo');
  expect((await ask('GET')).body.data).toMatchObject({ timezone: 'Asia/Tokyo' });

  // As if it had a million visits. The cron changes it.
  await stack().sql`
    insert into rollup_hours (site_key, hour, tier, pageviews, visits, measured, bounces, duration_ms)
    select key, '2026-01-01', 2, 1000000, 1000000, 0, 0, 0 from sites where id = ${owner.siteId}
    on conflict (site_key, hour, tier) do update set visits = 1000000`;
  await choose('America/New_York');
  const progress = form.getByRole('progressbar');
  await progress.waitFor();
  expect(await progress.getAttribute('aria-label')).toMatch(/America\/New_York: 0 of \d+/);
  expect((await ask('GET')).body.data).toMatchObject({ timezone: 'Asia/Tokyo' });
  await stack().scheduled('ingest', '*/15 * * * *');
  await progress.waitFor({ state: 'detached' });
  expect((await ask('GET')).body.data).toMatchObject({ timezone: 'America/New_York' });
  expect(complaints).toEqual([]);
});

test('the preview says what the policy in the form means; saved it is the site’s', async () => {
  const { part, ask, complaints } = await openSettings();
  const form = part('Privacy');
  const preview = () => part('What is then collected of whom').locator('dl').innerText();
  const of = async (who: string) => (await preview()).split(`${who}\n`)[1]?.split('\n')[0];
  const save = form.getByRole('button', { name: 'Save' });
  expect(await of('Who hasn’t answered')).toContain('Visits over months');
  expect(await save.isDisabled()).toBe(true);

  await form.getByLabel('Where the owner').selectOption('DE');
  expect(await form.getByLabel('Visitors where the law requires it').isDisabled()).toBe(true);
  expect(await of('Who hasn’t answered')).toContain('anonymous counts');
  await form.getByLabel('Where the owner').selectOption('US');
  await form.getByLabel('Visitors where the law requires it').check();
  await form.getByRole('radio', { name: /^Nothing/ }).check();
  expect(await of('Who hasn’t answered')).toBe('Nothing at all');
  expect(await of('Who isn’t asked, in other countries')).toContain('Visits over months');
  await form.getByLabel('Months that visits are kept').fill('6');
  await save.click();
  await form.getByRole('status').getByText('Saved').waitFor();
  expect((await ask('GET')).body.data.privacy).toEqual({
    ...{ jurisdiction: 'US', consentMode: 'regional', preConsentTier: 'off', retentionMonths: 6 },
  });

  // Another country takes away what it doesn't allow.
  await form.getByLabel('Where the owner').selectOption('PT');
  expect(await form.getByLabel('Every visitor').isChecked()).toBe(true);
  expect(await preview()).not.toContain('Who isn’t asked');
  expect(complaints).toEqual([]);
});

test('a share is made of some reports, with a password and an end; its link works, and is shown again, until it is revoked', async () => {
  const { page, part, ask, complaints } = await openSettings();
  const dialog = page.getByRole('dialog');
  await part('Shares').getByRole('button', { name: 'Share reports' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('For "friends"');
  await dialog.getByRole('button', { name: 'None' }).click();
  expect(await dialog.getByRole('button', { name: 'Share reports' }).isDisabled()).toBe(true);
  await dialog.getByLabel('Overview').check();
  await dialog.getByLabel('Countries').check();
  await dialog.getByLabel('Password').fill('open sesame');
  await dialog.getByLabel('Pages of these origins').check();
  await dialog.getByLabel('Origins, one a line').fill('https://intranet.example\nhttp://localhost');
  await dialog.getByLabel('Last day').fill('2020-01-01');
  await dialog.getByRole('button', { name: 'Share reports' }).click();
  await dialog.getByRole('alert').waitFor();
  await dialog.getByLabel('Last day').fill('2099-12-31');
  await dialog.getByRole('button', { name: 'Share reports' }).click();
  const link = await dialog.getByLabel('Link').locator('code').innerText();
  expect(await dialog.getByLabel('Code that shows it').locator('code').innerText()).toContain(
    `<iframe src="${link}" title="For &quot;friends&quot;"`,
  );
  const secret = link.slice(link.lastIndexOf('/') + 1);
  expect(link).toBe(`${stack().baseUrl}/share/${secret}`);
  expect((await stack().fetch(`/api/v1/shares/${secret}`)).status).toBe(401);
  expect((await ask('GET', '/shares')).body.data).toMatchObject([
    {
      name: 'For "friends"',
      reports: ['overview', 'countries'],
      hasPassword: true,
      embedOrigins: ['https://intranet.example', 'http://localhost'],
    },
  ]);

  await page.keyboard.press('Escape');
  const entry = part('Shares').getByRole('listitem');
  expect(await entry.innerText()).toContain('2 reports, with a password, until ');
  expect(await entry.getByLabel('Link of').locator('code').innerText()).toBe(link);
  await entry.getByRole('button', { name: 'Revoke' }).click();
  await dialog.getByRole('button', { name: 'Revoke' }).click();
  await part('Shares').getByText('No share yet').waitFor();
  expect((await ask('GET', '/shares')).body.data).toEqual([]);
  expect(complaints).toEqual([]);
});

test('imports are listed, and one is undone after a question', async () => {
  const { owner, page, part, ask, complaints } = await openSettings();
  await part('Imported days').getByText('Nothing was imported').waitFor();
  expect(await part('Imported days').locator('code').innerText()).toContain(
    `--site ${owner.siteId} --from plausible`,
  );
  const begin = { source: 'plausible', dimensions: [], contentHash: '0'.repeat(64) };
  const { id } = (await ask('POST', '/imports', begin)).body.data;
  await ask('POST', `/imports/${id}/pieces`, {
    number: 1,
    days: [
      ['2026-03-28', 7, 9, 20],
      ['2026-03-29', 4, 5, 9],
    ],
  });
  await page.reload();
  const entry = part('Imported days').getByRole('listitem');
  await entry.locator('p').getByText('not finished').waitFor();
  // Somebody finishes it: the list sees it by itself.
  await ask('POST', `/imports/${id}/finish`, { pieces: 1 });
  await entry.locator('p').getByText('not finished').waitFor({ state: 'detached' });
  expect(await entry.innerText()).toContain(
    'Plausible\n\nSat, March 28, 2026 to Sun, March 29, 2026, 2 rows',
  );
  await entry.getByRole('button', { name: 'Undo' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Undo' }).click();
  await part('Imported days').getByText('Nothing was imported').waitFor();
  expect((await ask('GET', '/imports')).body.data.imports).toEqual([]);
  expect(complaints).toEqual([]);
});

test('what is known of a visitor is downloaded, and deleted', async () => {
  const { page, part, ask, complaints } = await openSettings();
  const form = part('Data of one visitor');
  const id = visitor('Ada');
  await form.getByLabel('Id of the visitor').fill(id);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    form.getByRole('button', { name: 'Download everything' }).click(),
  ]);
  const file = JSON.parse(await readFile(await download.path(), 'utf8'));
  expect(download.suggestedFilename()).toBe(`visitor-${id}.json`);
  expect(file).toMatchObject({ visitorId: id, visits: [{ pages: [{ path: '/' }] }] });
  await form.getByText('1 visits and 1 events').waitFor();

  await form.getByRole('button', { name: 'Delete everything' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await form.getByText('is deleted').waitFor();
  expect((await ask('GET', `/visitors/${id}/export`)).body.data.visits).toEqual([]);
  await form.getByRole('button', { name: 'Download everything' }).click();
  await form.getByText('Nothing is known').waitFor();
  expect(complaints).toEqual([]);
});

test('the site is deleted only when its domain was typed; the sites then show the progress', async () => {
  const { page, part, ask } = await openSettings();
  await part('Delete the website').getByRole('button').click();
  const dialog = page.getByRole('dialog');
  const button = dialog.getByRole('button', { name: 'Delete the website' });
  await dialog.getByRole('textbox').fill('example.org');
  expect(await button.isDisabled()).toBe(true);
  await dialog.getByRole('textbox').fill('example.com');
  await button.click();
  await expect.poll(() => new URL(page.url()).pathname).toBe('/sites');
  await page.getByText('You have no website yet.').waitFor();
  const entry = page.getByRole('region', { name: 'Websites that are being deleted' }).getByRole('listitem');
  expect(await entry.innerText()).toContain('example.com');
  expect((await ask('GET')).status).toBe(404);
});

test('a viewer reads what is set and is offered nothing that changes it', async () => {
  const owner = await newSite(stack());
  const path = `/sites/${owner.siteId}`;
  await askApi(stack(), owner, 'POST', `${path}/shares`, { name: 'Board' });
  const viewer = await addMember(stack().sql, owner.projectId, 'viewer');
  const { page } = await openDashboard(stack(), newContext, viewer, `${path}/settings`);
  await page.getByText(`${SHARED_REPORTS.length} reports`).waitFor();
  await page.waitForLoadState('networkidle');
  expect(await page.locator('main input, main select').count()).toBe(0);
  expect(await page.locator('main').getByRole('button').allInnerTexts()).toEqual(['Copy']);
  await page.getByText('Text for your privacy notice').click();
  await page.getByText('Statistics about the use of this website').waitFor();
});
