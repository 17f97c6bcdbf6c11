/** What readers of a share see: all that is ticked, and its password asked once a day on a device. */
import { expect, test } from 'vitest';
import { consented, custom, pageview } from '../../lib/analytics/reports-world.ts';
import { addFunnel } from '../../security/definitions.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { askApi, newSite } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

const PASSWORD = 'salt and pepper';
const ago = (hours: number): string => new Date(Date.now() - hours * 3_600_000).toISOString();

async function newShare(fields: { reports?: string[]; password?: string }) {
  const shop = await newSite(
    stack(),
    ...[2, 26].map((hours) =>
      consented('Ada', [
        pageview(ago(hours), '/'),
        pageview(ago(hours), '/pricing'),
        custom(ago(hours), 'order'),
      ]),
    ),
  );
  await addFunnel(stack().sql, shop.siteId, {
    name: 'To an order',
    steps: [{ page: '/' }, { event: 'order' }],
  });
  const { body } = await askApi(stack(), shop, 'POST', `/sites/${shop.siteId}/shares`, {
    name: 'Board',
    ...fields,
  });
  return { shop, link: body.data.pageUrl as string };
}

async function open(link: string) {
  const context = await newContext();
  const page = await context.newPage();
  const refused: string[] = [];
  page.on(
    'response',
    (answer) => answer.status() >= 400 && refused.push(`${answer.status()} ${answer.url()}`),
  );
  const faults: string[] = [];
  page.on('pageerror', ({ message }) => faults.push(message));
  await page.goto(link);
  return { context, page, refused, faults };
}

test('each view that is ticked is shown, by the keyboard too; others are not named', async () => {
  const { link } = await newShare({});
  const { page, refused, faults } = await open(link);
  const views = page.locator('nav.views');
  await views.waitFor();
  expect((await views.innerText()).split(/\s*\n\s*/)).toEqual([
    ...['Overview', 'Week', 'Journeys', 'Retention', 'Funnels'],
  ]);
  const main = page.locator('main');
  for (const [name, text] of [
    ['Week', 'Mon.*Sun'],
    ['Journeys', '/pricing'],
    ['Retention', 'First week'],
    ['Funnels', 'Step 2 Event order'],
  ] as const) {
    await views.getByRole('link', { name }).focus();
    await page.keyboard.press('Enter');
    await expect
      .poll(async () => (await main.innerText()).replace(/\s+/g, ' '))
      .toMatch(new RegExp(text, 'i'));
    expect(await views.locator('[aria-current=page]').innerText()).toBe(name);
  }
  // What is shown is in the address; nothing of a member is asked for.
  await page.reload();
  await main.getByText('Event order').waitFor();
  expect([refused, faults]).toEqual([[], []]);

  const few = await open((await newShare({ reports: ['overview', 'journeys'] })).link);
  await few.page.locator('nav.views').waitFor();
  expect((await few.page.locator('nav.views').innerText()).split(/\s*\n\s*/)).toEqual([
    'Overview',
    'Journeys',
  ]);
  const one = await open((await newShare({ reports: ['retention'] })).link);
  await one.page.getByText('First week').waitFor();
  expect(await one.page.locator('nav.views').count()).toBe(0);
  expect([few.refused, one.refused]).toEqual([[], []]);
});

test('a password is asked for once on a device, and again once it has ended', async () => {
  const { link } = await newShare({ password: PASSWORD });
  const { context, page } = await open(link);
  const asked = page.locator('input[type=password]');
  await asked.fill(PASSWORD);
  await page.keyboard.press('Enter');
  await page.locator('nav.views').waitFor();
  const again = await context.newPage();
  await again.goto(link);
  await again.locator('nav.views').waitFor();
  expect(await again.locator('input[type=password]').count()).toBe(0);

  const lasts = await page.evaluate(() => {
    const name = Object.keys(localStorage).find((key) => key.startsWith('vendor.share.')) ?? '';
    const kept = JSON.parse(localStorage.getItem(name) ?? '{}') as { expiresAt: string };
    localStorage.setItem(name, JSON.stringify({ ...kept, expiresAt: new Date().toISOString() }));
    return Date.parse(kept.expiresAt) - Date.now();
  });
  expect(lasts / 3_600_000).toBeCloseTo(24, 1);
  await page.reload();
  await asked.waitFor();
  const elsewhere = await open(link);
  await elsewhere.page.locator('input[type=password]').waitFor();
});
