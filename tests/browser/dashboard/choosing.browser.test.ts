/** Choosing by what the site had: values of filters, parts of the chart, rows of lists. */
import { expect, test } from 'vitest';
import { custom, pageview, session } from '../../lib/analytics/reports-world.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { askApi, newSite, openDashboard, readTable } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

const DAY_HOURS = 24;
const before = (hours: number): string => new Date(Date.now() - 3_600_000 * hours).toISOString();

const newShop = () =>
  newSite(
    stack(),
    session('Ada', [pageview(before(2), '/a'), custom(before(2), 'order')], { country: 'PT' }),
    session('Bo', [pageview(before(3), '/b'), custom(before(3), 'order')], { country: 'ES' }),
    session('Cleo', [pageview(before(3), '/c'), custom(before(3), 'sign-up')], { country: 'DE' }),
    session('Dan', [pageview(before(8 * DAY_HOURS), '/a'), custom(before(8 * DAY_HOURS), 'order')]),
  );

test('a filter’s values come from the site’s lists, by their names', async () => {
  const shop = await newShop();
  const { page, complaints } = await openDashboard(stack(), newContext, shop, `/sites/${shop.siteId}`);
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('combobox').first().selectOption('country');
  await dialog.getByRole('checkbox', { name: 'Portugal' }).check();
  const values = dialog.getByRole('textbox', { name: 'Values' });
  await values.fill('spa');
  await expect.poll(() => dialog.getByRole('checkbox', { name: 'Germany' }).count()).toBe(0);
  // The whole name is the country too.
  await values.fill('spain');
  await values.press('Enter');
  expect(await values.inputValue()).toBe('');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('filter_country')).toBe('PT|ES');
  await expect
    .poll(() => page.getByRole('button', { name: /^Change the filter by/ }).innerText())
    .toBe('Country is Portugal or Spain');

  // Another dimension has its own values.
  await page.getByRole('button', { name: /^Change the filter by/ }).click();
  await expect.poll(() => dialog.getByRole('checkbox', { checked: true }).count()).toBe(2);
  await dialog.getByRole('combobox').first().selectOption('page');
  await dialog.getByRole('checkbox', { name: '/b', exact: false }).check();
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect.poll(() => new URL(page.url()).search).toBe('?filter_page=%2Fb');
  expect(complaints).toEqual([]);
});

test('the chart is drawn by hour, day or week', async () => {
  const shop = await newShop();
  const path = `/sites/${shop.siteId}`;
  const { page, complaints } = await openDashboard(stack(), newContext, shop, `${path}?period=7d`);
  const menu = page.getByRole('button', { name: /^Interval/ });
  await expect.poll(() => menu.innerText()).toBe('By day');
  await menu.click();
  await page.getByRole('link', { name: 'By hour' }).click();
  await expect.poll(() => new URL(page.url()).search).toBe('?period=7d&interval=hour');
  const { body } = await askApi(stack(), shop, 'GET', `${path}/analytics/timeseries?period=7d&interval=hour`);
  await page.getByText('The same numbers as a table').click();
  await expect.poll(async () => (await readTable(page)).length).toBe(body.data.length);
  // Hours of a quarter are too many, and weeks of a week are too few.
  await page.goto(`${new URL(page.url()).origin}${path}?period=90d`);
  await menu.click();
  expect(await page.locator('.menu:popover-open a').allInnerTexts()).toEqual([
    'By day',
    'By week',
    'By month',
  ]);
  expect(complaints).toEqual([]);
});

test('events are compared and searched, and goals are searched', async () => {
  const shop = await newShop();
  const path = `/sites/${shop.siteId}`;
  for (const name of ['order', 'sign-up'])
    await askApi(stack(), shop, 'POST', `${path}/analytics/goals`, { name: `The ${name}`, event: name });
  const asked = '?period=7d&compare=previous';
  const { page, complaints, go } = await openDashboard(stack(), newContext, shop, `${path}/events${asked}`);
  await expect
    .poll(async () => (await readTable(page)).map((cells) => cells.slice(0, 2)))
    .toEqual([
      ['order', '2\n↑ +100%'],
      ['sign-up', '1\n↑ new'],
    ]);
  await page.getByRole('searchbox').fill('sign');
  await expect.poll(async () => (await readTable(page)).map(([name]) => name)).toEqual(['sign-up']);
  await page.getByRole('searchbox').fill('nothing');
  await expect.poll(() => page.getByRole('status').innerText()).toBe('Nothing is called so');

  await go(`${path}/goals`);
  await expect.poll(async () => (await readTable(page)).length).toBe(2);
  await page.getByRole('searchbox').fill('sign');
  await expect
    .poll(async () => (await readTable(page)).map(([name]) => name?.split('\n')[0]))
    .toEqual(['The sign-up']);
  expect(complaints).toEqual([]);
});
