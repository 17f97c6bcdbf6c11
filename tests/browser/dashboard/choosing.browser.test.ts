/** Choosing by what the site had: values of filters, parts of the chart, rows of lists. */
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { custom, pageview, session } from '../../lib/analytics/reports-world.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { askApi, newSite, openDashboard, openNumbers, readTable } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

const DAY_HOURS = 24;
const before = (hours: number): string => new Date(Date.now() - 3_600_000 * hours).toISOString();

const newShop = (...more: Parameters<typeof newSite>[1][]) =>
  newSite(
    stack(),
    session('Ada', [pageview(before(2), '/a'), custom(before(2), 'order')], { country: 'PT' }),
    session('Bo', [pageview(before(3), '/b'), custom(before(3), 'order')], { country: 'ES' }),
    session('Cleo', [pageview(before(3), '/c'), custom(before(3), 'sign-up')], { country: 'DE' }),
    session('Dan', [pageview(before(8 * DAY_HOURS), '/a'), custom(before(8 * DAY_HOURS), 'order')]),
    ...more,
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

test('a period is one key, and dates are chosen in a calendar that has the present ones', async () => {
  const shop = await newShop();
  const { page, complaints } = await openDashboard(stack(), newContext, shop, `/sites/${shop.siteId}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  const query = () => new URL(page.url()).searchParams;
  await page.keyboard.press('f');
  await expect.poll(() => query().get('period')).toBe('28d');
  await page.keyboard.press('x');
  await expect.poll(() => query().get('compare')).toBe('previous');
  await page.keyboard.press('x');
  await expect.poll(() => query().get('compare')).toBe('weekdays');
  await page.keyboard.press('p');
  await expect.poll(() => query().get('period')).toBe('last_month');

  await page.keyboard.press('c');
  const dialog = page.getByRole('dialog');
  const from = dialog.getByLabel('From', { exact: true });
  const to = dialog.getByLabel('To', { exact: true });
  const known = await from.inputValue();
  expect(known).toMatch(/-01$/);
  expect((await to.inputValue()).slice(0, 7)).toBe(known.slice(0, 7));
  // The month of the last day is shown: its 5th by pointer, its 12th by keyboard.
  const day = (number: number) =>
    dialog.getByRole('region', { name: 'Calendar' }).getByText(String(number), { exact: true });
  await day(12).click();
  await day(12).press('ArrowLeft');
  await page.keyboard.press('ArrowUp');
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  await dialog.getByRole('button', { name: 'Apply' }).click();
  await expect.poll(() => query().get('from')).toBe(`${known.slice(0, 8)}05`);
  expect(query().get('to')).toBe(`${known.slice(0, 8)}12`);
  // Nobody's typing is a shortcut.
  await page.getByRole('button', { name: 'Filter', exact: true }).click();
  await dialog.getByRole('textbox', { name: 'Values' }).pressSequentially('wet');
  expect(query().get('from')).toBe(`${known.slice(0, 8)}05`);
  expect(complaints).toEqual([]);
});

test('all time begins with the first event', async () => {
  const shop = await newShop();
  const { page } = await openDashboard(stack(), newContext, shop, `/sites/${shop.siteId}`);
  await page.getByRole('heading', { level: 1 }).waitFor();
  await page.keyboard.press('a');
  await expect.poll(() => new URL(page.url()).searchParams.get('period')).toBe('all');
  // Eight days ago, or nine in a zone where that is another day.
  await openNumbers(page);
  await expect.poll(async () => (await readTable(page)).length).toBeGreaterThan(7);
  expect((await readTable(page)).length).toBeLessThan(12);
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
  await openNumbers(page);
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

test('the chart is split by a dimension: what is drawn is what the API says', async () => {
  const shop = await newShop();
  const path = `/sites/${shop.siteId}`;
  const { page, complaints } = await openDashboard(
    stack(),
    newContext,
    shop,
    `${path}?period=30d&metric=visits`,
  );
  await page.getByRole('button', { name: /^Split by/ }).press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Channel');
  await page.locator('.menu:popover-open').getByRole('link', { name: 'Country', exact: true }).press('Enter');
  await expect.poll(() => new URL(page.url()).search).toBe('?metric=visits&by=country');

  const asked = `${path}/analytics/timeseries?period=30d&by=country`;
  const { body } = await askApi(stack(), shop, 'GET', asked);
  const points = body.data as { visits: number; parts: { value: string; visits: number }[] }[];
  const names: Record<string, string> = { PT: 'Portugal', ES: 'Spain', DE: 'Germany' };
  const nameOf = (value: string): string => names[value] ?? value;
  const values = points[0]?.parts.map(({ value }) => nameOf(value));
  // Nobody knows where Dan is.
  expect(values?.toSorted()).toEqual(['Germany', 'Portugal', 'Spain', 'Unknown']);
  await expect
    .poll(() => page.getByRole('list', { name: 'Country' }).getByRole('link').allInnerTexts())
    .toEqual(values);
  await openNumbers(page);
  const since = points.findIndex(({ visits }) => visits > 0);
  await expect
    .poll(async () => (await readTable(page)).map(([, ...numbers]) => numbers))
    .toEqual(
      points.map(({ visits, parts }, index) =>
        index < since ? ['–', '–', '–', '–', '–'] : [visits, ...parts.map((part) => part.visits)].map(String),
      ),
    );

  // As many bars as there are parts that aren't 0, each as high as its share of the whole.
  const heights = await page
    .locator('.chart .bar.slice')
    .evaluateAll((bars) => bars.map((bar) => Number(bar.getAttribute('height'))));
  const drawn = points
    .flatMap(({ parts }) => parts.map(({ visits }) => visits))
    .filter((visits) => visits > 0);
  expect(heights).toHaveLength(drawn.length);
  for (const [index, height] of heights.entries())
    expect(height / (heights[0] ?? 0)).toBeCloseTo((drawn[index] ?? 0) / (drawn[0] ?? 1), 5);

  // With the keyboard each time is read with its parts.
  await page.getByRole('slider').press('End');
  const spoken = await page.getByRole('slider').getAttribute('aria-valuetext');
  for (const { value, visits } of points.at(-1)?.parts ?? [])
    if (visits > 0) expect(spoken).toContain(`${nameOf(value)} ${visits}`);

  // A part keeps its visits; another figure than a count has no parts.
  await page
    .getByRole('list', { name: 'Country' })
    .getByRole('link', { name: /Portugal/ })
    .click();
  await expect.poll(() => new URL(page.url()).searchParams.get('filter_country')).toBe('PT');
  await page.getByRole('button', { name: /^Bounce rate/ }).click();
  await expect.poll(() => page.getByRole('button', { name: /^Split by/ }).count()).toBe(0);
  await expect.poll(() => page.locator('.chart path.line').count()).toBeGreaterThan(0);
  expect(complaints).toEqual([]);
});

const searchOf = (page: Page): string => new URL(page.url()).search;
const dayAgo = (days: number): string => before(DAY_HOURS * days).slice(0, 10);

/** The middle of a point of a week's chart, where today is point 6. */
async function pointAt(page: Page, index: number): Promise<{ x: number; y: number }> {
  const chart = page.getByRole('slider');
  await chart.locator('svg text').first().waitFor();
  const box = await chart.boundingBox();
  if (box === null) throw new Error('There is no chart.');
  const [left, right] = [44, 8];
  return { x: box.x + left + ((box.width - left - right) * index) / 6, y: box.y + 60 };
}

test('a click on the chart leads to its day, dragging to several, and back returns', async () => {
  const shop = await newShop();
  const { page, complaints } = await openDashboard(
    stack(),
    newContext,
    shop,
    `/sites/${shop.siteId}?period=7d&interval=day&filter_country=PT`,
  );
  const [third, fifth] = [await pointAt(page, 2), await pointAt(page, 4)];
  await page.mouse.click(third.x, third.y);
  const itsDay = `from=${dayAgo(4)}&to=${dayAgo(4)}`;
  await expect.poll(() => searchOf(page)).toBe(`?${itsDay}&filter_country=PT`);
  // A day's hours lead nowhere.
  await page.getByRole('button', { name: 'Interval: By hour' }).waitFor();
  await page.mouse.click(third.x, third.y);
  await page.getByRole('slider').press('Home');
  await page.keyboard.press('Enter');
  expect(searchOf(page)).toBe(`?${itsDay}&filter_country=PT`);
  await page.goBack();

  await pointAt(page, 0);
  await page.mouse.move(third.x, third.y);
  await page.mouse.down();
  await page.mouse.move(fifth.x, fifth.y);
  await page.mouse.up();
  await expect.poll(() => searchOf(page)).toBe(`?from=${dayAgo(4)}&to=${dayAgo(2)}&filter_country=PT`);
  await page.goBack();

  await page.getByRole('slider').press('Home');
  await page.keyboard.press('Shift+ArrowRight');
  await page.keyboard.press('Enter');
  await expect.poll(() => searchOf(page)).toBe(`?from=${dayAgo(6)}&to=${dayAgo(5)}&filter_country=PT`);
  expect(complaints).toEqual([]);
});

test('a finger’s first touch reads a day, its second one leads to it', async () => {
  const shop = await newShop();
  const { page, complaints } = await openDashboard(
    stack(),
    (options) => newContext({ ...options, hasTouch: true }),
    shop,
    `/sites/${shop.siteId}?period=7d&interval=day`,
  );
  const third = await pointAt(page, 2);
  await page.touchscreen.tap(third.x, third.y);
  await page.locator('.chart .tip').waitFor();
  expect(searchOf(page)).toBe('?period=7d&interval=day');
  await page.touchscreen.tap(third.x, third.y);
  await expect.poll(() => searchOf(page)).toBe(`?from=${dayAgo(4)}&to=${dayAgo(4)}`);
  expect(complaints).toEqual([]);
});

test('the map draws the list of countries', async () => {
  const shop = await newShop();
  const path = `/sites/${shop.siteId}`;
  const { page, complaints } = await openDashboard(stack(), newContext, shop, `${path}?places=map`);
  const { body } = await askApi(stack(), shop, 'GET', `${path}/analytics/countries?limit=100`);
  const rows = body.data as { value: string; visits: number }[];
  const top = Math.max(...rows.map(({ visits }) => visits));
  const shades = Object.fromEntries(
    rows.map(({ value, visits }) => [value, `shade-${Math.ceil(5 * Math.sqrt(visits / top))}`]),
  );
  const shapes = page.locator('.map [data-code]');
  await page.locator('.map .shade-5').first().waitFor();
  const drawn = await shapes.evaluateAll((all) =>
    all.map((one) => [one.getAttribute('data-code'), one.getAttribute('class')?.match(/shade-\d/)?.[0]]),
  );
  expect(drawn.length).toBeGreaterThan(150);
  for (const [code, shade] of drawn) expect([code, shade]).toEqual([code, shades[code ?? ''] ?? 'shade-0']);
  // The four with the most visits are named below, and each keeps its visits.
  const named = page.getByRole('region', { name: 'Places' }).getByRole('list').getByRole('listitem');
  expect(await named.count()).toBe(Math.min(4, rows.length));
  await named.getByRole('link', { name: /Portugal/ }).click();
  await expect.poll(() => new URL(page.url()).searchParams.get('filter_country')).toBe('PT');
  expect(complaints).toEqual([]);
});

test('each figure chooses what the chart draws', async () => {
  const shop = await newShop();
  const path = `/sites/${shop.siteId}`;
  const { page, complaints } = await openDashboard(stack(), newContext, shop, `${path}?period=7d`);
  const { body } = await askApi(stack(), shop, 'GET', `${path}/analytics/timeseries?period=7d`);
  const today = body.data.at(-1) as Record<string, number | null>;
  for (const [name, metric] of [
    ['Visits', 'visits'],
    ['Page views', 'pageviews'],
    ['Bounce rate', 'bounceRate'],
    ['Time of a visit', 'avgDuration'],
    ['Visitors', 'visitors'],
  ] as const) {
    const figure = page.getByRole('button', { name: new RegExp(`^${name}`) });
    await figure.click();
    await expect.poll(() => figure.getAttribute('aria-pressed')).toBe('true');
    await expect.poll(() => new URL(page.url()).searchParams.get('metric') ?? 'visitors').toBe(metric);
    const slider = page.getByRole('slider', { name: new RegExp(`^${name}`) });
    await slider.press('End');
    const expected = today[metric] === null ? 'not observed' : String(today[metric]);
    await expect.poll(() => slider.getAttribute('aria-valuetext')).toContain(`: ${expected}`);
  }
  expect(complaints).toEqual([]);
});

test('events are compared and searched, and goals are searched', async () => {
  // Eve came before the week before, so all of that was observed.
  const shop = await newShop(session('Eve', [pageview(before(40 * DAY_HOURS), '/a')]));
  const path = `/sites/${shop.siteId}`;
  for (const name of ['order', 'sign-up'])
    await askApi(stack(), shop, 'POST', `${path}/analytics/goals`, { name: `The ${name}`, event: name });
  const asked = '?period=7d&compare=previous';
  const { page, complaints, go } = await openDashboard(stack(), newContext, shop, `${path}/events${asked}`);
  await expect
    .poll(async () => (await readTable(page)).map((cells) => cells.slice(0, 2)))
    .toEqual([
      ['order', '2\n↑ 100%'],
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
