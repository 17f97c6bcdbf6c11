/** The views of a site that are about what visits do: live, retention, funnels, journeys. */
import { expect, test } from 'vitest';
import { consented, counts, custom, pageview, session } from '../../lib/analytics/reports-world.ts';
import { addMember } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { askApi, newSite, openDashboard, readTable } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

const HOUR_MS = 3_600_000;
const ago = (hours: number, seconds = 0): string =>
  new Date(Date.now() - hours * HOUR_MS + 1000 * seconds).toISOString();

const newShop = () =>
  newSite(
    stack(),
    consented('Ada', [pageview(ago(2), '/'), pageview(ago(2, 5), '/pricing'), custom(ago(2, 9), 'order')]),
    session('Bo', [pageview(ago(2, 10), '/'), pageview(ago(2, 15), '/pricing')]),
    session('Cleo', [pageview(ago(2, 20), '/'), pageview(ago(2, 25), '/blog')]),
  );

test('a funnel is built step by step with numbers, reported, and deleted', async () => {
  const shop = await newShop();
  const path = `/sites/${shop.siteId}`;
  const { page, complaints } = await openDashboard(stack(), newContext, shop, `${path}/funnels`);
  const dialog = page.getByRole('dialog');
  await page.getByRole('button', { name: 'Add a funnel' }).click();
  const step = (number: number) => dialog.getByRole('group', { name: `Step ${number}`, exact: true });
  await step(1).getByLabel('Path of the page').fill('/');
  await step(1).getByText('3 visits in the last 90 days').waitFor();
  await step(2).getByLabel('Path of the page').fill('/nowhere');
  await step(2).getByText('Not seen').waitFor();
  await step(2).getByLabel('Path of the page').fill('/pricing');
  await dialog.getByRole('button', { name: 'Add a step' }).click();
  await step(3).getByLabel('An event').check();
  await step(3).getByLabel('Name of the event').fill('order');
  await dialog.getByLabel('Name', { exact: true }).fill('To an order');
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  const steps = page.getByRole('tabpanel', { name: 'To an order' }).locator('ol > li');
  await expect.poll(() => steps.count()).toBe(3);
  const shown = (await steps.allInnerTexts()).map((text) => text.replace(/\s+/g, ' '));
  expect(shown).toEqual([
    'Step 1 Page / 3 100%',
    'Step 2 Page /pricing 2 66.7% 33.3% left before this step',
    'Step 3 Event order 1 33.3% 50% left before this step',
  ]);
  const [made] = (await askApi(stack(), shop, 'GET', `${path}/analytics/funnels`)).body.data;
  expect(made).toMatchObject({ steps: [{ page: '/' }, { page: '/pricing' }, { event: 'order' }] });
  expect(new URL(page.url()).searchParams.get('funnel')).toBe(made.id);

  await page.getByRole('button', { name: 'Delete To an order' }).click();
  await dialog.getByRole('button', { name: 'Delete' }).click();
  await page.getByText('No funnel yet').waitFor();
  expect(complaints).toEqual([]);
});

test('a click on a page of a journey chooses where journeys begin or end', async () => {
  const shop = await newShop();
  const { page, complaints } = await openDashboard(
    stack(),
    newContext,
    shop,
    `/sites/${shop.siteId}/journeys`,
  );
  const rows = async () => (await readTable(page)).map((row) => row.map((cell) => cell.replace(/\s+/g, ' ')));
  await expect.poll(rows).toEqual([
    ['/ /pricing', '2', '2'],
    ['/ /blog', '1', '1'],
  ]);
  await page.getByLabel('where journeys end').check();
  await page.getByRole('button', { name: '/blog' }).click();
  await expect.poll(rows).toEqual([['/ /blog', '1', '1']]);
  expect(new URL(page.url()).search).toBe('?end=%2Fblog');
  await page.getByRole('button', { name: 'Remove: Ends at /blog' }).click();
  await expect.poll(rows).toHaveLength(2);
  expect(complaints).toEqual([]);
});

test('who is there now, by page; anonymous page views beside them', async () => {
  const shop = await newSite(
    stack(),
    session('Ada', [pageview(ago(0, -30), '/pricing')]),
    counts([pageview(ago(0, -40), '/')]),
  );
  const { page, complaints } = await openDashboard(stack(), newContext, shop, `/sites/${shop.siteId}/live`);
  const counted = page.locator('main dl > div');
  await expect.poll(() => counted.allInnerTexts()).toEqual(['Visitors\n1', 'Anonymous page views\n1']);
  const row = page.locator('.rows .row');
  expect((await row.innerText()).split(/\s+/)).toEqual(['/pricing', '1']);
  expect(complaints).toEqual([]);
});

test('retention is about consented visitors, by the week of their first visit', async () => {
  const week = 7 * 24;
  const shop = await newSite(
    stack(),
    consented('Ada', [pageview(ago(2 * week), '/')]),
    consented('Ada', [pageview(ago(week), '/')]),
    consented('Bo', [pageview(ago(2 * week), '/')]),
    session('Cleo', [pageview(ago(2 * week), '/')]),
  );
  const { page, complaints } = await openDashboard(
    stack(),
    newContext,
    shop,
    `/sites/${shop.siteId}/retention`,
  );
  await expect.poll(async () => (await readTable(page))[0]?.slice(1, 4)).toEqual(['2', '50%', '0%']);
  const answer = await askApi(
    stack(),
    shop,
    'GET',
    `/sites/${shop.siteId}/analytics/retention?period=90d&limit=14`,
  );
  expect(answer.body.data.find(({ visitors }: { visitors: number }) => visitors > 0)).toMatchObject({
    visitors: 2,
    returned: [1, 0],
  });
  expect(complaints).toEqual([]);
});

test('a viewer builds no funnel', async () => {
  const shop = await newShop();
  const viewer = await addMember(stack().sql, shop.projectId, 'viewer');
  const { page } = await openDashboard(stack(), newContext, viewer, `/sites/${shop.siteId}/funnels`);
  await page.getByText('No funnel yet').waitFor();
  await page.waitForLoadState('networkidle');
  expect(await page.getByRole('button', { name: /funnel/ }).count()).toBe(0);
});

test('the week has the mean of each hour as the API counts it, on a desk and on a phone', async () => {
  const shop = await newShop();
  const path = `/sites/${shop.siteId}`;
  const { page, complaints } = await openDashboard(stack(), newContext, shop, `${path}/heatmap?period=7d`);
  interface Cell {
    weekday: number;
    hour: number;
    visits: number;
    hours: number;
  }
  const cells: Cell[] = (await askApi(stack(), shop, 'GET', `${path}/analytics/heatmap?period=7d`)).body.data;
  expect(cells.reduce((sum, { visits }) => sum + visits, 0)).toBe(3);
  const meanOf = (weekday: number, hour: number): string => {
    const { visits, hours } = cells.find((cell) => cell.weekday === weekday && cell.hour === hour) as Cell;
    return hours === 0 ? '' : String(Math.round((10 * visits) / hours) / 10);
  };
  const weekdays = [1, 2, 3, 4, 5, 6, 7];
  const hours = Array.from({ length: 24 }, (_, hour) => hour);
  await page.setViewportSize({ width: 1280, height: 900 });
  await expect
    .poll(() => readTable(page))
    .toEqual(weekdays.map((weekday) => hours.map((hour) => meanOf(weekday, hour))));
  const busiest = cells.reduce((most, cell) =>
    cell.hours > 0 && cell.visits / cell.hours > most.visits / Math.max(1, most.hours) ? cell : most,
  );
  const cell = page
    .locator('tbody tr')
    .nth(busiest.weekday - 1)
    .locator('td')
    .nth(busiest.hour);
  expect(await cell.getAttribute('title')).toContain(
    `${busiest.visits} visits in ${busiest.hours} such hours`,
  );
  await page.setViewportSize({ width: 375, height: 800 });
  await expect
    .poll(() => readTable(page))
    .toEqual(hours.map((hour) => weekdays.map((weekday) => meanOf(weekday, hour))));
  expect(complaints).toEqual([]);

  const empty = await newSite(stack());
  const other = await openDashboard(stack(), newContext, empty, `/sites/${empty.siteId}/heatmap`);
  await other.page.getByText('Nothing yet').waitFor();
});
