/** The views of goals and of events, and the goals on the overview. */
import { expect, test } from 'vitest';
import { consented, custom, pageview, session } from '../../lib/analytics/reports-world.ts';
import { addMember } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { askApi, newSite, openDashboard, readTable } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

/** An hour ago, in seconds: visits began and are over. */
const at = (seconds: number): string => new Date(Date.now() - 3_600_000 + 1000 * seconds).toISOString();

const order = (seconds: number, amount: string, plan: string) => ({
  ...custom(at(seconds), 'order'),
  revenue: { amount, currency: 'EUR' },
  props: { plan, seats: 2 },
});

const newShop = () =>
  newSite(
    stack(),
    consented('Ada', [pageview(at(0), '/'), pageview(at(5), '/pricing'), order(9, '1200.50', 'pro')]),
    consented('Bo', [pageview(at(10), '/pricing'), order(14, '0.10', 'free'), order(15, '0.10', 'free')]),
    session('Cleo', [pageview(at(20), '/')]),
    session('Dan', [pageview(at(30), '/blog/one')]),
  );

test('a goal is added, shown as the API answers it, changed and deleted', async () => {
  const shop = await newShop();
  const { page, complaints } = await openDashboard(stack(), newContext, shop, `/sites/${shop.siteId}/goals`);
  const dialog = page.getByRole('dialog');
  await page.getByText('No goal yet').waitFor();

  await page.getByRole('button', { name: 'Add a goal' }).click();
  await dialog.getByLabel('Name of the event').fill('order');
  await dialog.getByLabel('Name', { exact: true }).fill('Ordered');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect
    .poll(() => readTable(page))
    .toEqual([['Ordered\nEvent order', '2', '50.0%', '3', 'EUR\u00a01,200.70']]);
  const report = await askApi(stack(), shop, 'GET', `/sites/${shop.siteId}/analytics/goals/report`);
  expect(report.body.data).toMatchObject([
    { name: 'Ordered', event: 'order', conversions: 2, conversionRate: 50, events: 3 },
  ]);

  await page.getByRole('button', { name: 'Change Ordered' }).click();
  await dialog.getByLabel('Name', { exact: true }).fill('Saw the prices');
  await dialog.getByLabel('A page').check();
  await dialog.getByLabel('Path of the page').fill('pricing');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').waitFor();
  expect(await dialog.getByRole('alert').innerText()).toContain('must begin with /');
  await dialog.getByLabel('Path of the page').fill('/pricing');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.waitFor({ state: 'detached' });
  await expect
    .poll(() => readTable(page))
    .toEqual([['Saw the prices\nPage /pricing', '2', '50.0%', '2', '–']]);

  await page.getByRole('button', { name: 'Delete Saw the prices' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No goal yet').waitFor();
  expect((await askApi(stack(), shop, 'GET', `/sites/${shop.siteId}/analytics/goals`)).body.data).toEqual([]);
  expect(complaints).toEqual([]);
});

test('a goal on the overview leads to its visits, and the panel to all goals', async () => {
  const shop = await newShop();
  const path = `/sites/${shop.siteId}`;
  await askApi(stack(), shop, 'POST', `${path}/analytics/goals`, { name: 'Ordered', event: 'order' });
  const { page, complaints } = await openDashboard(stack(), newContext, shop, `${path}?period=7d`);
  const panel = page.getByRole('region', { name: 'Goals' });
  await panel.getByRole('link', { name: 'Only visits with Ordered' }).click();
  await expect.poll(() => new URL(page.url()).search).toBe('?period=7d&filter_goal=Ordered');
  await expect.poll(() => page.locator('a.figure').nth(1).getAttribute('aria-description')).toBe('2');
  await panel.getByRole('link', { name: 'All goals' }).click();
  await expect
    .poll(() => readTable(page))
    .toEqual([['Ordered\nEvent order', '2', '100.0%', '3', 'EUR\u00a01,200.70']]);
  expect(new URL(page.url()).search).toBe('?period=7d&filter_goal=Ordered');
  expect(complaints).toEqual([]);
});

test('with a goal the map shows the conversions of countries, and their rate', async () => {
  const shop = await newShop();
  const path = `/sites/${shop.siteId}`;
  await askApi(stack(), shop, 'POST', `${path}/analytics/goals`, { name: 'Ordered', event: 'order' });
  const { page, complaints } = await openDashboard(
    stack(),
    newContext,
    shop,
    `${path}?period=7d&filter_goal=Ordered&places=map`,
  );
  const [row] = (
    await askApi(stack(), shop, 'GET', `${path}/analytics/countries?period=7d&goal=Ordered&sort=conversions`)
  ).body.data;
  const map = page.getByRole('slider', { name: /^Countries: Conversions/ });
  await expect
    .poll(async () => {
      await map.press('Home');
      return map.getAttribute('aria-valuetext');
    })
    .toMatch(new RegExp(`: ${row.conversions} · ${row.conversionRate.toFixed(1)}%$`));
  expect(row.conversions).toBe(2);
  expect(complaints).toEqual([]);
});

test('a viewer sees goals and nothing to change them by', async () => {
  const shop = await newShop();
  const path = `/sites/${shop.siteId}`;
  await askApi(stack(), shop, 'POST', `${path}/analytics/goals`, { name: 'Ordered', event: 'order' });
  const viewer = await addMember(stack().sql, shop.projectId, 'viewer');
  const { page } = await openDashboard(stack(), newContext, viewer, `${path}/goals`);
  await page.getByRole('link', { name: 'Ordered' }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(await page.getByRole('button', { name: /goal|Change|Delete/ }).count()).toBe(0);
});

test('events, their properties and the values of a property', async () => {
  const shop = await newShop();
  const { page, complaints } = await openDashboard(stack(), newContext, shop, `/sites/${shop.siteId}/events`);
  await expect.poll(() => readTable(page)).toEqual([['order', '3', '2', '2', 'EUR\u00a01,200.70']]);
  await page.getByRole('button', { name: 'order' }).click();
  const name = 'Properties of order';
  const dialog = page.getByRole('dialog', { name });
  await dialog.getByRole('tab', { name: 'plan' }).click();
  await expect
    .poll(() => readTable(page, name))
    .toEqual([
      ['free', '2', '1', '1'],
      ['pro', '1', '1', '1'],
    ]);
  await dialog.getByRole('tab', { name: 'seats' }).click();
  await expect.poll(() => readTable(page, name)).toEqual([['2', '3', '2', '2']]);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'detached' });
  expect(complaints).toEqual([]);
});

test('properties of page views, and a value that chooses visits', async () => {
  const by = (author: string, path: string, minute: number) =>
    pageview(at(minute), path, { props: { author, words: 900 } });
  const blog = await newSite(
    stack(),
    consented('Ada', [by('Ana', '/one', 0), by('Ana', '/two', 2), pageview(at(3), '/')]),
    session('Bo', [by('Bea', '/three', 5)]),
    consented('Cleo', [pageview(at(8), '/')]),
  );
  const { page, complaints } = await openDashboard(stack(), newContext, blog, `/sites/${blog.siteId}/events`);
  const title = 'Properties of page views';
  const part = page.getByRole('region', { name: title });
  await expect
    .poll(() => part.getByRole('tab').allInnerTexts())
    .toEqual([expect.stringMatching(/^author\s+3$/), expect.stringMatching(/^words\s+3$/)]);
  const rows = () => part.locator('tbody tr').allInnerTexts();
  const cells = async () => (await rows()).map((row) => row.split(/\s+/));
  await expect.poll(cells).toEqual([
    ['Ana', '2', '1', '1'],
    ['Bea', '1', '1', '1'],
  ]);
  await part.getByRole('tab', { name: 'words' }).click();
  await expect.poll(cells).toEqual([['900', '3', '2', '2']]);
  await part.getByRole('tab', { name: 'author' }).click();
  await part.getByRole('link', { name: 'Bea' }).click();
  await expect.poll(cells).toEqual([['Bea', '1', '1', '1']]);
  expect(new URL(page.url()).search).toContain('author');
  expect(complaints).toEqual([]);
});

test('nothing observed is never a zero', async () => {
  const shop = await newSite(stack());
  const path = `/sites/${shop.siteId}`;
  await askApi(stack(), shop, 'POST', `${path}/analytics/goals`, { name: 'Ordered', event: 'order' });
  const { page, go } = await openDashboard(stack(), newContext, shop, `${path}/events`);
  await page.getByText('Nothing yet').waitFor();
  await go(`${path}/goals`);
  await page.getByText('Nothing yet').waitFor();
  await expect.poll(() => readTable(page)).toEqual([['Ordered\nEvent order', '–', '–', '–', '–']]);
});
