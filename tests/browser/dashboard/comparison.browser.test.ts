/** The site's page beside another range: what it shows is what the API says, and the address has the whole choice. */
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { addDays, addMonths, firstOfMonth } from '../../../lib/dates.ts';
import { consented, counts, custom, pageview, session } from '../../lib/analytics/reports-world.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { askApi, newSite, openDashboard, openNumbers, readTable } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

const HOUR_MS = 3_600_000;
const before = (hours: number, seconds = 0): string =>
  new Date(Date.now() - HOUR_MS * hours + 1000 * seconds).toISOString();

const LAST_WEEK = 24 * 7 + 2;

/** Ada and Bo came two hours ago; Ada and Cleo a week earlier. Eve came before that, so that all of the week before was observed. */
const newShop = () =>
  newSite(
    stack(),
    session('Eve', [pageview(before(24 * 40), '/')]),
    consented('Ada', [
      pageview(before(LAST_WEEK), '/'),
      pageview(before(LAST_WEEK, 60), '/old'),
      custom(before(LAST_WEEK, 70), 'order'),
    ]),
    session('Cleo', [pageview(before(LAST_WEEK), '/')]),
    consented('Ada', [
      pageview(before(2), '/'),
      pageview(before(2, 30), '/new'),
      custom(before(2, 40), 'order'),
      custom(before(2, 50), 'order'),
    ]),
    session('Bo', [pageview(before(2), '/new')]),
    session('Dan', [pageview(before(2), '/')]),
    counts([pageview(before(2), '/')]),
  );

const panel = (page: Page, name: string): Locator => page.getByRole('region', { name, exact: true });

const cellsOf = async (shown: Locator): Promise<string[][]> =>
  (await shown.locator('.row').allInnerTexts()).map((row) => row.split(/[\n\t]+/).filter(Boolean));

interface Row {
  path: string;
  pageviews: number;
  previous: { pageviews: number };
}

/** As the page writes a change. */
function changeOf(now: number, then: number): string {
  if (then === 0) return now === 0 ? '0%' : '↑ new';
  const by = Math.round((100 * (now - then)) / then);
  return by === 0 ? '0%' : `${by > 0 ? '↑' : '↓'} ${Math.abs(by)}%`;
}

/** How many people visitors are at least, where the range has several UTC days. */
const LEAST = '( ?at least \\d+ people)?';

async function choose(page: Page, choice: string): Promise<void> {
  await page.getByRole('button', { name: /^Compare/ }).click();
  await page.getByText(choice, { exact: true }).click();
}

test('figures, rows, chart and table stand beside the other range, as the API says', async () => {
  const shop = await newShop();
  const path = `/sites/${shop.siteId}`;
  const ask = async (report: string, more = '') =>
    (await askApi(stack(), shop, 'GET', `${path}/analytics/${report}?period=7d&compare=previous${more}`)).body
      .data;
  const { page, complaints } = await openDashboard(stack(), newContext, shop, `${path}?period=7d`);
  await choose(page, 'With the period before');
  await expect.poll(() => new URL(page.url()).search).toBe('?period=7d&compare=previous');

  const overview = await ask('overview');
  expect(overview.previous).toMatchObject({ visitors: 2, visits: 2, pageviews: 3 });
  const figures = page.locator('.figure');
  for (const [index, metric] of ['visitors', 'visits', 'pageviews'].entries())
    await expect
      .poll(() => figures.nth(index).innerText())
      .toMatch(
        new RegExp(
          `\\n${overview[metric]}\\n↑ ${Math.round(overview[`${metric}Change`])}%\\nfrom ${overview.previous[metric]}${metric === 'visitors' ? LEAST : ''}$`,
        ),
      );
  const points = overview.bounceRate - overview.previous.bounceRate;
  expect(await figures.nth(4).innerText()).toContain(
    `${points > 0 ? '+' : ''}${Math.round(10 * points) / 10} pp\nfrom ${overview.previous.bounceRate}%`,
  );

  const perVisit = (of: { pageviews: number; visits: number }): string =>
    String(Math.round((100 * of.pageviews) / of.visits) / 100);
  expect(await figures.nth(3).innerText()).toMatch(
    new RegExp(`\\n${perVisit(overview)}\\n.*\\nfrom ${perVisit(overview.previous)}$`),
  );

  const rows: Row[] = await ask('pages', '&sort=pageviews');
  expect(rows.map((row) => row.previous.pageviews)).toContain(0);
  await expect
    .poll(() => cellsOf(panel(page, 'Pages')))
    .toEqual(
      rows.map((row) => [row.path, String(row.pageviews), changeOf(row.pageviews, row.previous.pageviews)]),
    );
  // Each figure stands under its own header.
  const heads = panel(page, 'Pages').locator('.columns > *');
  expect(await heads.allInnerTexts()).toEqual(['Pages', 'Page views', 'Change']);
  const cells = panel(page, 'Pages').locator('.row').first().locator('.numbers > *');
  for (const index of [0, 1]) {
    const [head, cell] = [await heads.nth(index + 1).boundingBox(), await cells.nth(index).boundingBox()];
    expect([head?.x, head?.width]).toEqual([cell?.x, cell?.width]);
  }
  await panel(page, 'Goals').getByRole('tab', { name: 'Events' }).click();
  await expect.poll(() => cellsOf(panel(page, 'Events'))).toEqual([['order', '2', '↑ 100%']]);

  const series = await ask('timeseries', '&interval=day');
  await openNumbers(page);
  const table = await readTable(page);
  const figuresOf = ({ visitors, visits, pageviews, bounceRate }: Record<string, number | null>) => [
    ...[visitors, visits, pageviews].map(String),
    visits === 0 ? '0' : perVisit({ visits: visits ?? 0, pageviews: pageviews ?? 0 }),
    bounceRate === null ? '–' : `${bounceRate}%`,
  ];
  expect(table.slice(0, series.length).map((cells) => cells.slice(2, 12))).toEqual(
    series.map((row: Record<string, number> & { previous: Record<string, number> }) => {
      const [now, then] = [figuresOf(row), figuresOf(row.previous)];
      return now.flatMap((figure, index) => [figure, then[index]]);
    }),
  );

  // The chart draws what follows from two of the figures too.
  await figures.nth(3).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('metric')).toBe('viewsPerVisit');
  const views = page.getByRole('slider', { name: 'Views per visit' });
  await views.focus();
  await page.keyboard.press('End');
  const { visits, pageviews } = series.at(-1);
  const drawn = visits === 0 ? '0' : perVisit({ visits, pageviews });
  await expect.poll(() => views.getAttribute('aria-valuetext')).toContain(`: ${drawn}, not over yet. `);
  await figures.first().click();

  // The crosshair says both, for the eye and the ear.
  const chart = page.getByRole('slider');
  await chart.focus();
  await page.keyboard.press('End');
  const last = series.at(-1);
  const spoken = `: ${last.visitors}, not over yet. `;
  await expect.poll(() => chart.getAttribute('aria-valuetext')).toContain(spoken);
  expect(await chart.getAttribute('aria-valuetext')).toMatch(new RegExp(`: ${last.previous.visitors}$`));
  expect(await page.locator('.chart .tip').innerText()).toContain(`: ${last.previous.visitors}`);
  expect(complaints).toEqual([]);
});

test('a month is compared with the month before, and the present one with its same dates', async () => {
  const month = firstOfMonth(new Date().toISOString().slice(0, 10));
  const onFirst = (months: number): string => `${addMonths(month, -months)}T00:00:10.000Z`;
  // As many days just before begin before the month before, or after its first.
  const shop = await newSite(
    stack(),
    session('Al', [pageview(`${addDays(addMonths(month, -2), -1)}T12:00:00.000Z`, '/')]),
    session('Bo', [pageview(onFirst(2), '/')]),
    session('Ada', [pageview(onFirst(1), '/')]),
    session('Cleo', [pageview(onFirst(1), '/')]),
    session('Dan', [pageview(onFirst(0), '/')]),
  );
  const path = `/sites/${shop.siteId}`;
  const { page, complaints, go } = await openDashboard(stack(), newContext, shop, `${path}?period=month`);
  const shown = async (): Promise<string[]> => [
    await page.locator('.figure').nth(1).innerText(),
    ...(await cellsOf(panel(page, 'Pages'))).flat(),
  ];
  await expect.poll(shown).toEqual(['Visits\n1\n↓ 50%', '/', '1', '100%']);
  await choose(page, 'With the period before');
  await expect.poll(shown).toEqual(['Visits\n1\n↓ 50%\nfrom 2', '/', '1', '↓ 50%']);

  await go(`${path}?period=last_month`);
  await expect.poll(shown).toEqual(['Visits\n2\n↑ 100%', '/', '2', '100%']);
  await choose(page, 'With the period before');
  await expect.poll(shown).toEqual(['Visits\n2\n↑ 100%\nfrom 1', '/', '2', '↑ 100%']);
  expect(complaints).toEqual([]);
});

test('back, forward and a pasted address give the same comparison', async () => {
  const shop = await newShop();
  const path = `/sites/${shop.siteId}`;
  const { page, complaints } = await openDashboard(stack(), newContext, shop, path);
  const button = page.getByRole('button', { name: /^Compare/ });
  await choose(page, 'With a year before');
  await expect.poll(() => button.innerText()).toBe('With a year before');
  // Nothing was observed then, so nothing is a change: rows have their shares, as without a comparison.
  await expect.poll(() => page.locator('.ranges li').last().innerText()).toContain('not observed');
  const notes = await page.locator('.figure .note:not(.measured)').allInnerTexts();
  expect(notes.join('')).toMatch(new RegExp(`^\\s*${LEAST}\\s*$`));
  expect((await cellsOf(panel(page, 'Pages'))).map((cells) => cells[2])).toEqual(['63%', '25%', '13%']);
  await choose(page, 'With other dates …');
  await page.getByLabel('From', { exact: true }).fill('2026-01-01');
  await page.getByLabel('To', { exact: true }).fill('2026-01-07');
  await page.getByRole('button', { name: 'Apply' }).click();
  await expect.poll(() => new URL(page.url()).search).toBe('?compare=2026-01-01..2026-01-07');
  const shown = await button.innerText();
  expect(shown).toContain('2026');

  await page.goBack();
  await expect.poll(() => button.innerText()).toBe('With a year before');
  await page.goBack();
  await expect.poll(() => button.innerText()).toBe('Compare');
  await page.goForward();
  await page.goForward();
  await expect.poll(() => button.innerText()).toBe(shown);

  // Another view of the site keeps it for the way back.
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('link', { name: 'Retention' }).click();
  await page.getByRole('link', { name: 'Overview' }).click();
  await expect.poll(() => button.innerText()).toBe(shown);

  const address = new URL(page.url());
  const other = await openDashboard(stack(), newContext, shop, address.pathname + address.search);
  await expect.poll(() => other.page.getByRole('button', { name: /^Compare/ }).innerText()).toBe(shown);
  expect([...complaints, ...other.complaints]).toEqual([]);
});
