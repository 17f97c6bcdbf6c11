/** The services of an environment in the dashboard. */
import { expect, test } from 'vitest';
import type { ServiceMap, ServiceSummary } from '../../../lib/telemetry/span-schemas.ts';
import { createWorld, minutesAgo, order } from '../../functions/telemetry/sent-spans.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { openDashboard, openNumbers } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

test('services, one of them, and its neighbours show what the API says', async () => {
  const world = await createWorld(stack());
  await world.send([...order(1, minutesAgo(9)), ...order(2, minutesAgo(8)), ...order(3, minutesAgo(7))]);
  await world.rollUp();
  const path = `/projects/${world.projectId}/${world.environmentId}/services?period=24h`;
  const { page, complaints } = await openDashboard(stack(), newContext, world.owner, path);
  const rows = page.getByRole('row').filter({ has: page.getByRole('cell') });
  await expect.poll(() => rows.count()).toBe(3);
  const { data } = await world.get<{ data: ServiceSummary }>('service-summary?service=shop&period=24h');
  const shop = page.getByRole('row', { name: /^shop/ });
  const p95 = `${Number((data.p95Ms ?? 0).toPrecision(3))} ms`;
  await expect.poll(() => shop.innerText()).toContain(p95);
  await expect.poll(() => shop.innerText()).toContain('100%');
  await expect.poll(() => page.getByRole('row', { name: /^web/ }).innerText()).toContain('0%');

  // Rate, errors and p95 are drawn over time: three entries in three minutes of a day are one or two points.
  await expect
    .poll(() =>
      shop
        .locator('.spark path:not(.area, .unfinished)')
        .evaluateAll((all) => all.map((one) => one.getAttribute('d'))),
    )
    .toEqual([1, 2, 3].map(() => expect.stringMatching(/^M[\d.]+,/)));

  const whole = page.getByRole('figure', { name: 'Who calls whom' });
  await expect.poll(() => whole.locator('a title').allTextContents()).toEqual(['web', 'shop', 'stock']);
  await openNumbers(page);
  await expect.poll(() => page.getByRole('row', { name: /^web shop/ }).innerText()).toMatch(/3\s+3\s+/);

  await shop.getByRole('link').first().click();
  await page.waitForURL(/service=shop/);
  const figure = page.locator('.figures').getByRole('button', { name: /^p95/ });
  await expect.poll(() => figure.innerText()).toContain(p95);
  await expect.poll(() => figure.getAttribute('aria-pressed')).toBe('true');
  // The table has all figures of the chart, whichever is drawn: what is observed has a p95 where it has a rate.
  const numbers = page.locator('.card', { has: figure });
  await openNumbers(numbers);
  const { data: timed } = await world.get<{ data: ServiceSummary }>(
    'service-summary?service=shop&period=24h&interval=15m',
  );
  const times = timed.intervals ?? [];
  const cells = (await numbers.locator('tbody tr').allInnerTexts()).map((row) => row.split('\t').slice(1));
  expect(cells).toHaveLength(times.length);
  const busy = times.flatMap(({ entries, p95Ms }, index) =>
    entries > 0 ? [[cells[index]?.[3], `${Number((p95Ms ?? 0).toPrecision(3))} ms`]] : [],
  );
  expect(busy).not.toEqual([]);
  for (const [shown, expected] of busy) expect(shown).toBe(expected);
  const { data: map } = await world.get<{ data: ServiceMap }>('service-map?period=24h');
  const calls = (caller: string, callee: string) =>
    map.edges.find((edge) => edge.caller === caller && edge.callee === callee)?.calls;
  expect([calls('web', 'shop'), calls('shop', 'stock')]).toEqual([3, 3]);
  const drawn = page.getByRole('figure', { name: 'Services around shop' });
  await expect.poll(() => drawn.getByRole('link').count()).toBe(3);
  const table = page.getByRole('row', { name: /^web shop/ });
  await expect.poll(() => table.innerText()).toMatch(/3\s+100%/);

  await drawn.getByRole('link').filter({ hasText: 'stock' }).click();
  await page.waitForURL(/service=stock/);
  await page.getByRole('heading', { name: 'stock' }).waitFor();
  await page.getByRole('button', { name: 'p95', exact: true }).click();
  await expect
    .poll(() => page.locator('th[aria-sort]', { hasText: 'p95' }).getAttribute('aria-sort'))
    .toBe('descending');
  await page.getByRole('link', { name: 'GET /stock/:id', exact: true }).click();
  await page.waitForURL(/traces\?.*operation=GET/);

  // Failed requests are one click from their service.
  await page.goto(new URL(path, page.url()).href);
  await page.getByRole('link', { name: /^Failed traces: shop/ }).click();
  await page.waitForURL(/traces\?.*status=error/);
  expect(complaints).toEqual([]);
});
