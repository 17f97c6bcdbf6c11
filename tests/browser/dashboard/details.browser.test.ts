/** The whole list of a panel in a dialog: its search, order, parts and comparison are those of the API. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { consented, counts, pageview, session } from '../../lib/analytics/reports-world.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { askApi, newSite, openDashboard } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

const HOUR_MS = 3_600_000;
const before = (hours: number, seconds = 0): string =>
  new Date(Date.now() - HOUR_MS * hours + 1000 * seconds).toISOString();

const PAGES = 60;

/** Many pages with one view each, some with more, and visits from three countries. */
const newShop = () =>
  newSite(
    stack(),
    ...Array.from({ length: PAGES }, (_, index) =>
      counts([pageview(before(3), `/page/${String(index).padStart(2, '0')}`)]),
    ),
    session('Ada', [pageview(before(3), '/read'), pageview(before(3, 10), '/read')], { country: 'PT' }),
    session('Bo', [pageview(before(3), '/seen')], { country: 'ES' }),
    session('Cleo', [pageview(before(3), '/seen')], { country: 'ES' }),
    session('Dan', [pageview(before(24 * 31), '/seen')], { country: 'DE' }),
    session('Eve', [pageview(before(3), '/read')], { country: 'DE' }),
    // Before the range that is compared with, so all of that was observed.
    session('Fay', [pageview(before(24 * 70), '/seen')], { country: 'DE' }),
  );

const dialog = (page: Page): Locator => page.getByRole('dialog');
const rows = (page: Page): Promise<string[][]> =>
  dialog(page)
    .locator('tbody tr')
    .evaluateAll((all) =>
      all.map((row) => [...row.querySelectorAll('td')].map((cell) => cell.innerText.trim())),
    );

interface Row {
  path?: string;
  value?: string;
  visitors: number;
  visits: number;
  pageviews: number;
}
const figures = ({ path, value, visitors, visits, pageviews }: Row): string[] =>
  [path ?? value, visitors, visits, pageviews].map(String);

test('a list is searched, sorted and read to its end', async () => {
  const shop = await newShop();
  const path = `/sites/${shop.siteId}`;
  const ask = async (query: string): Promise<string[][]> =>
    (await askApi(stack(), shop, 'GET', `${path}/analytics/${query}`)).body.data.map(figures);
  const { page, complaints } = await openDashboard(stack(), newContext, shop, path);
  await page.getByRole('link', { name: 'Details: Pages' }).click();
  await expect.poll(() => rows(page)).toEqual(await ask('pages?limit=50&sort=pageviews'));
  await dialog(page).getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => rows(page)).toEqual(await ask('pages?limit=100&sort=pageviews'));
  expect((await rows(page)).length).toBe(PAGES + 2);

  for (const [column, sort] of [
    ['Visits', 'visits'],
    ['Visitors', 'visitors'],
  ] as const) {
    await dialog(page).getByRole('button', { name: column, exact: true }).click();
    await expect.poll(() => rows(page)).toEqual(await ask(`pages?limit=50&sort=${sort}`));
    expect(await dialog(page).locator('th[aria-sort=descending]').innerText()).toContain(column);
  }
  await dialog(page).getByRole('searchbox').fill('E/4');
  await expect.poll(() => rows(page)).toEqual(await ask('pages?limit=50&sort=visitors&search=E/4'));
  expect((await rows(page)).length).toBe(10);
  await dialog(page).getByRole('searchbox').fill('nowhere');
  await dialog(page).getByText('Nothing is called so').waitFor();

  // The address has the open list; a row leads to the filtered page.
  const address = new URL(page.url());
  expect(address.searchParams.get('details')).toBe('pages');
  const other = await openDashboard(stack(), newContext, shop, address.pathname + address.search);
  await expect.poll(async () => (await rows(other.page)).length).toBe(50);
  await dialog(other.page).getByRole('link', { name: '/read' }).click();
  await expect.poll(() => new URL(other.page.url()).search).toBe('?filter_page=%2Fread');
  await expect.poll(() => dialog(other.page).count()).toBe(0);
  await other.page.goBack();
  await dialog(other.page).waitFor();
  await other.page.keyboard.press('Escape');
  await expect.poll(() => new URL(other.page.url()).search).toBe('');
  expect([...complaints, ...other.complaints]).toEqual([]);
});

test('names in the reader’s language are found too, beside the other range', async () => {
  const shop = await newShop();
  const path = `/sites/${shop.siteId}`;
  const { page, complaints } = await openDashboard(
    stack(),
    newContext,
    shop,
    `${path}?compare=previous&details=countries`,
  );
  await expect
    .poll(() => rows(page))
    .toEqual([
      ['Unknown', '0\n0%', '60\n↑ new', '60\n↑ new'],
      ['Spain', '2\n↑ new', '2\n↑ new', '2\n↑ new'],
      ['Germany', '1\n0%', '1\n0%', '1\n0%'],
      ['Portugal', '1\n↑ new', '1\n↑ new', '2\n↑ new'],
    ]);
  await dialog(page).getByRole('searchbox').fill('ger');
  await expect.poll(async () => (await rows(page)).map(([name]) => name)).toEqual(['Germany']);
  await dialog(page).getByRole('searchbox').fill('zz');
  await dialog(page).getByText('Nothing is called so').waitFor();
  expect(complaints).toEqual([]);
});

test('how many visits bounce, and how long they last, of rows with enough visits', async () => {
  const visit = (name: string, path: string, hours: number, more: readonly string[] = []) =>
    consented(
      name,
      [path, ...more].map((to, index) => pageview(before(hours, 30 * index), to)),
    );
  const shop = await newSite(
    stack(),
    ...['Ada', 'Bo', 'Cleo', 'Dan'].map((name) => visit(name, '/landing', 3)),
    ...['Eve', 'Fay', 'Gil'].map((name) => visit(name, '/read', 3, ['/landing', '/read'])),
    visit('Hal', '/once', 3),
  );
  const path = `/sites/${shop.siteId}`;
  const ask = async (query: string): Promise<string[][]> => {
    const { body } = await askApi(
      stack(),
      shop,
      'GET',
      `${path}/analytics/visit-quality?by=entry_page&${query}`,
    );
    return body.data.map((row: { value: string; visits: number }) => [row.value, `${row.visits}`]);
  };
  const { page, complaints } = await openDashboard(stack(), newContext, shop, `${path}?details=entry-pages`);
  const list = dialog(page);
  await list.getByRole('tab', { name: 'Bounces and time' }).click();
  await expect
    .poll(() => rows(page))
    .toEqual([
      ['/landing', '4', '100.0%', '0s'],
      ['/read', '3', '0.0%', '1m'],
      ['/once', '1', '100.0%', '0s'],
    ]);
  const least = list.getByRole('spinbutton', { name: 'Minimum number of visits' });
  expect(await least.inputValue()).toBe('1');
  // The rates of a few say little.
  await list.getByRole('button', { name: 'Bounce rate' }).click();
  await expect.poll(() => rows(page)).toEqual([]);
  expect(await least.inputValue()).toBe('10');
  await least.fill('2');
  await least.press('Enter');
  await expect
    .poll(async () => (await rows(page)).map((row) => row.slice(0, 2)))
    .toEqual(await ask('sort=bounceRate&minVisits=2'));
  expect(await rows(page)).toHaveLength(2);
  await list.getByRole('button', { name: 'Time of a visit' }).click();
  await expect.poll(async () => (await rows(page)).map(([name]) => name)).toEqual(['/read', '/landing']);
  expect(await list.getByRole('link', { name: 'CSV' }).getAttribute('href')).toContain(
    'report=visit-quality&format=csv&period=30d&by=entry_page&sort=avgDuration&minVisits=2',
  );
  await list.getByRole('link', { name: '/read' }).click();
  await expect.poll(() => new URL(page.url()).search).toBe('?filter_entry_page=%2Fread');
  expect(complaints).toEqual([]);
});
