/** The overview of a site: what it shows is what the API says, and its address is its whole state. */
import { randomUUID } from 'node:crypto';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import type { StoredEvent } from '../../../lib/collection/track-message.ts';
import { consented, counts, custom, pageview, session } from '../../lib/analytics/reports-world.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { askApi, newSite, openDashboard, openNumbers } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

const ago = (seconds: number): string => new Date(Date.now() - 7_200_000 + 1000 * seconds).toISOString();

/** A value with every sign that filters have a meaning for. */
const ODD_PATH = '/a|b\\c~!';

function read(path: string, at: number, seconds: number, lcp: number): StoredEvent[] {
  const pageId = randomUUID();
  const measured = { id: randomUUID(), at: Date.parse(ago(at + 5)), pageId };
  return [
    pageview(ago(at), path, { pageId }),
    { type: 'engagement', ...measured, seconds, scrollDepth: 50 },
    {
      ...{ type: 'vitals', ...measured, id: randomUUID(), hostname: 'example.com', path },
      ...{ lcp, inp: 90, cls: 0.3, fcp: 500, ttfb: 100 },
    },
  ];
}

const newShop = () =>
  newSite(
    stack(),
    consented('Ada', [
      ...read('/', 0, 30, 1200),
      ...read('/pricing', 20, 90, 5000),
      custom(ago(40), 'order'),
      // More views than the first page, and fewer visits.
      ...[41, 42, 43].map((at) => pageview(ago(at), '/pricing')),
    ]),
    session('Bo', [pageview(ago(60), '/'), pageview(ago(70), ODD_PATH)], {
      country: 'ES',
      browser: 'Safari',
    }),
    session('Cleo', [pageview(ago(80), ODD_PATH)], { country: 'PT' }),
    counts([pageview(ago(90), '/')]),
  );

const panel = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

/** The cells of each row of a panel. */
const rowsOf = async (shown: Locator): Promise<string[][]> =>
  (await shown.locator('.row, tbody tr').allInnerTexts()).map((row) =>
    row
      .split(/[\n\t]+/)
      .map((cell) => cell.trim())
      .filter((cell) => cell !== ''),
  );

test('each panel has the rows of its report', async () => {
  const shop = await newShop();
  const path = `/sites/${shop.siteId}`;
  const ask = async (report: string) =>
    (await askApi(stack(), shop, 'GET', `${path}/analytics/${report}`)).body.data;
  const { page, complaints } = await openDashboard(stack(), newContext, shop, path);
  const { visitors, visits, pageviews } = await ask('overview');
  const figures = page.locator('.figures');
  await expect.poll(() => figures.innerText()).toContain(String(pageviews));
  expect((await figures.innerText()).match(/\d+/g)).toEqual(
    expect.arrayContaining([visitors, visits].map(String)),
  );

  const lists = [
    ['Pages', 'Pages', 'pages', 'path'],
    ['Pages', 'Entry pages', 'entry-pages', 'path'],
    ['Pages', 'Exit pages', 'exit-pages', 'path'],
    ['Devices', 'Browsers', 'browsers', 'value'],
    ['Sources', 'Sources', 'sources', 'value'],
  ] as const;
  for (const [name, tab, report, key] of lists) {
    const shown = panel(page, name);
    await shown.getByRole('tab', { name: tab, exact: true }).click();
    const figure = report === 'pages' ? 'pageviews' : 'visits';
    const rows = await ask(`${report}?sort=${figure}`);
    const wanted = rows.map((row: Record<string, string>) => row[key]);
    await expect.poll(async () => (await rowsOf(shown)).map(([value]) => value)).toEqual(wanted);
    const numbers = rows.map((row: Record<string, number>) => String(row[figure]));
    expect((await rowsOf(shown)).map(([, number]) => number)).toEqual(numbers);
  }

  await panel(page, 'Goals').getByRole('tab', { name: 'Events' }).click();
  await expect.poll(() => rowsOf(panel(page, 'Events'))).toEqual([['order', '1']]);
  await expect
    .poll(async () => (await rowsOf(panel(page, 'Engagement'))).sort())
    .toEqual([
      ['/', '30s', '50%', '1'],
      ['/pricing', '1m 30s', '50%', '1'],
    ]);
  await panel(page, 'Engagement').getByRole('tab', { name: 'Web vitals' }).click();
  const vitals = await ask('vitals');
  expect(vitals).toHaveLength(2);
  // The whole website, then its pages.
  const speed = panel(page, 'Web vitals');
  const names = async () => (await rowsOf(speed)).map(([name]) => name);
  await expect.poll(names).toEqual(['Whole website', '/', '/pricing']);
  expect(await speed.getByTitle('poor', { exact: true }).count()).toBe(5);
  expect(await speed.getByTitle('good', { exact: true }).count()).toBe(4);
  expect(await speed.getByRole('img', { name: '50% good, 0% need improvement, 50% poor' }).count()).toBe(1);
  await speed.getByRole('tab', { name: 'Devices' }).click();
  const [device] = await ask('vitals?by=device');
  await expect.poll(names).toHaveLength(2);
  expect(device).toMatchObject({ measured: 2, shares: { cls: { poor: 100 } } });
  await speed.getByRole('button', { name: 'LCP p75' }).click();
  await speed.getByText('rows of fewer than 5 loads are left out').waitFor();
  expect(complaints).toEqual([]);
});

test('a click keeps or leaves out visits, back undoes it, and the address shows the same to another', async () => {
  const shop = await newShop();
  const path = `/sites/${shop.siteId}`;
  const { page, complaints } = await openDashboard(stack(), newContext, shop, path);
  const pages = panel(page, 'Pages');
  const shown = async () => (await rowsOf(pages)).map(([value]) => value).sort();
  await expect.poll(shown).toEqual(['/', ODD_PATH, '/pricing'].sort());
  await pages.getByRole('link', { name: `Only visits with ${ODD_PATH}` }).click();
  await expect.poll(shown).toEqual(['/', ODD_PATH].sort());
  expect(new URL(page.url()).searchParams.get('filter_page')).toBe('/a\\|b\\\\c~!');
  await page.goBack();
  await expect.poll(shown).toHaveLength(3);
  await pages.getByRole('link', { name: `Without visits with ${ODD_PATH}` }).click();
  await expect.poll(shown).toEqual(['/', '/pricing']);

  const other = await openDashboard(
    stack(),
    newContext,
    shop,
    new URL(page.url()).pathname + new URL(page.url()).search,
  );
  const otherPages = panel(other.page, 'Pages');
  await expect
    .poll(async () => (await rowsOf(otherPages)).map(([value]) => value).sort())
    .toEqual(['/', '/pricing']);

  // What is measured of pages knows no other filter.
  await panel(other.page, 'Devices')
    .getByRole('link', { name: /^Only visits with/ })
    .first()
    .click();
  await other.page.getByText('Time read and scrolling are kept by page alone').waitFor();
  expect([...complaints, ...other.complaints]).toEqual([]);
});

test('the map has the figures of the list of countries, and a click, a key and the address choose', async () => {
  const shop = await newShop();
  const path = `/sites/${shop.siteId}`;
  const { page, complaints } = await openDashboard(
    stack(),
    newContext,
    shop,
    `${path}?period=24h&places=map`,
  );
  const places = panel(page, 'Places');
  const map = places.getByRole('slider');
  const { body } = await askApi(stack(), shop, 'GET', `${path}/analytics/countries?period=24h`);
  const name = new Intl.DisplayNames('en', { type: 'region' });
  const rows: string[][] = body.data.map((row: Record<string, string>) => [
    row.value === 'Unknown' ? row.value : name.of(row.value ?? ''),
    ...['visitors', 'visits', 'pageviews'].map((figure) => String(row[figure])),
  ]);
  expect(rows.length).toBeGreaterThan(1);
  await openNumbers(places);
  await expect.poll(() => rowsOf(places)).toEqual(rows);

  // The keys go from the largest to the smallest.
  const read: (string | null)[] = [];
  await map.focus();
  for (const _ of rows) {
    await page.keyboard.press('ArrowRight');
    read.push(await map.getAttribute('aria-valuetext'));
  }
  expect(read.map((text) => text?.split(':')[0])).toEqual(rows.map(([country]) => country));
  // Nobody came from there.
  await places.locator('[data-code="BR"]').hover();
  await expect.poll(() => map.getAttribute('aria-valuetext')).toBe('Brazil: no visits');
  await places.locator('[data-code="BR"]').click();
  expect(new URL(page.url()).searchParams.has('filter_country')).toBe(false);

  await places.locator('[data-code="ES"]').click();
  await expect.poll(() => new URL(page.url()).searchParams.get('filter_country')).toBe('ES');
  await expect.poll(async () => (await rowsOf(places)).map(([country]) => country)).toEqual(['Spain']);
  await page.goBack();
  await map.focus();
  await page.keyboard.press('End');
  await page.keyboard.press('Enter');
  await expect
    .poll(() => new URL(page.url()).searchParams.get('filter_country'))
    .toBe(body.data.at(-1).value);

  // Before the first event a country without visits isn't one with none.
  await page.goto(`${page.url().split('?')[0]}?from=2026-01-01&to=2026-01-02&places=map`);
  await expect
    .poll(async () => {
      await places.locator('[data-code="BR"]').hover();
      return map.getAttribute('aria-valuetext');
    })
    .toBe('Brazil: not observed');
  expect(complaints).toEqual([]);
});

test('figures are read again each minute, all at once, and not under the pointer', async () => {
  const at = new Date(Date.now() - 600_000).toISOString();
  const tenant = await newSite(stack(), session('Ada', [pageview(at, '/first')]));
  const { page, complaints } = await openDashboard(stack(), newContext, tenant, '/sites');
  await page.clock.install();
  await page.goto(`${stack().baseUrl}/sites/${tenant.siteId}`);
  const row = (name: string) => panel(page, 'Pages').getByText(name, { exact: true });
  await row('/first').waitFor();
  await foldBatch(
    stack().sql,
    [{ ...session('Bo', [pageview(at, '/second'), pageview(at, '/second')]), siteId: tenant.siteId }],
    Date.now(),
  );
  const asked: string[] = [];
  page.on('request', (request) => {
    if (request.url().includes('/analytics/reports')) asked.push(request.url());
  });
  await row('/first').hover();
  await page.clock.runFor(90_000);
  expect(asked).toEqual([]);
  await page.mouse.move(0, 0);
  await page.clock.runFor(2_000);
  await row('/second').waitFor();
  expect(asked.length).toBeLessThanOrEqual(2);
  expect(complaints).toEqual([]);
});
