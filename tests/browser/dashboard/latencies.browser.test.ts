/** The latency histogram of a service in the dashboard. */
import { expect, test } from 'vitest';
import type { LatencyHistogram } from '../../../lib/telemetry/span-schemas.ts';
import { createWorld, minutesAgo, type TestSpan } from '../../functions/telemetry/sent-spans.ts';
import { spanIdOf, traceIdOf } from '../../functions/telemetry/test-environment.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { openDashboard, openNumbers, readTable } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

const entry = (n: number, durationMs: number, fields: Partial<TestSpan> = {}): TestSpan => ({
  ...{ traceId: traceIdOf(n), spanId: spanIdOf(n), service: 'shop', startMs: minutesAgo(5) + n, durationMs },
  ...fields,
});

test('a histogram has what the API says, and a bar leads to traces that took as long', async () => {
  const world = await createWorld(stack());
  await world.send([
    ...Array.from({ length: 20 }, (_, n) => entry(n, 10 + (n % 3))),
    entry(30, 900, { name: 'POST /order', status: 2 }),
  ]);
  const path = `/projects/${world.projectId}/${world.environmentId}/services?service=shop`;
  const { page, complaints, go } = await openDashboard(stack(), newContext, world.owner, path);
  const part = page.getByRole('region', { name: 'How long entries took' });
  const { data } = await world.get<{ data: LatencyHistogram }>('latency-histogram?service=shop');
  expect(data).toMatchObject({ entries: 21, errors: 1 });
  const chart = part.getByRole('slider');
  await chart.waitFor();
  for (const name of ['p50', 'p95', 'p99'] as const)
    expect(await part.locator('text.percentile').allTextContents()).toContainEqual(
      expect.stringContaining(`${name} ${Number((data[`${name}Ms`] ?? 0).toPrecision(3))} ms`),
    );
  await openNumbers(part);
  const counts = part.getByRole('row').locator('td.number:nth-child(2)');
  const total = (await counts.allInnerTexts()).reduce((sum, text) => sum + Number(text), 0);
  expect(total).toBe(21);

  // The slowest is the last bar.
  await chart.press('End');
  expect(await chart.getAttribute('aria-valuetext')).toContain('Errors 1');
  await chart.press('Enter');
  await page.waitForURL(/traces\?.*minDurationMs=/);
  await expect.poll(() => page.getByRole('link', { name: /POST \/order/ }).count()).toBe(1);
  expect(await page.getByRole('region', { name: 'Traces, newest first' }).getByRole('listitem').count()).toBe(
    1,
  );

  // The fastest bars are left of the middle; dragging over all of them finds all that are in them.
  await go(path);
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  if (box === null) throw new Error('the chart isn’t shown');
  await page.mouse.move(box.x + 60, box.y + 100);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width / 2, box.y + 100);
  await page.mouse.up();
  await page.waitForURL(/traces\?.*minDurationMs=/);
  await expect
    .poll(() => page.getByRole('region', { name: 'Traces, newest first' }).getByRole('listitem').count())
    .toBe(20);

  await go(path);
  await part.getByLabel('Operation').selectOption('POST /order');
  await page.waitForURL(/operation=/);
  await expect.poll(() => part.locator('text.percentile').first().textContent()).toMatch(/p50 \d{3} ms/);
  expect(complaints).toEqual([]);
});

test('a heat map has what the API says, and a cell leads to traces of its time that took as long', async () => {
  const world = await createWorld(stack());
  await world.send([
    ...Array.from({ length: 20 }, (_, n) => entry(n, 10)),
    ...Array.from({ length: 3 }, (_, n) => entry(40 + n, 10, { startMs: minutesAgo(50) + n })),
    entry(30, 900, { name: 'POST /order', status: 2, startMs: minutesAgo(50) }),
  ]);
  const path = `/projects/${world.projectId}/${world.environmentId}/services?service=shop&period=1h`;
  const { page, complaints, go } = await openDashboard(stack(), newContext, world.owner, path);
  const part = page.getByRole('region', { name: 'How long entries took' });
  await part.getByRole('tab', { name: 'Over time' }).click();
  await page.waitForURL(/latencies=time/);
  const chart = part.getByRole('slider');
  // The histogram has percentiles; the chart over time has none and replaces it when the answer is there.
  await expect.poll(() => part.locator('text.percentile').count()).toBe(0);
  await chart.waitFor();

  const { data } = await world.get<{ data: LatencyHistogram }>(
    'latency-histogram?service=shop&period=1h&interval=1m',
  );
  const reported = (data.intervals ?? []).flatMap(({ entries, errors }) =>
    entries.flatMap((count, at) => (count > 0 ? [[count, errors[at]]] : [])),
  );
  expect(reported).toContainEqual([1, 1]);
  await openNumbers(part);
  const rows = (await readTable(page)).filter(([, took]) => took?.includes('ms –'));
  expect(rows.map((cells) => cells.slice(2).map(Number)).sort()).toEqual(reported.sort());
  // One path for each shade that has a cell: of 1, 3 and 20 entries.
  expect(
    await part.locator('.chart path').evaluateAll((paths) => paths.map((one) => one.className.baseVal)),
  ).toEqual(expect.arrayContaining(['shade-2', 'shade-5']));

  // The slowest is at the top.
  const text = async () => (await chart.getAttribute('aria-valuetext')) ?? '';
  const at = async () => Number(await chart.getAttribute('aria-valuenow'));
  const press = async (key: string) => {
    const before = await at();
    await chart.press(key);
    await expect.poll(at).not.toBe(before);
  };
  await press('Home');
  const slowest = ` – ${Number((data.buckets.at(-1)?.toMs ?? 0).toPrecision(3))} ms`;
  while (!(await text()).includes(slowest)) await press('ArrowUp');
  const top = await at();
  await press('ArrowDown');
  expect(await at()).toBe(top - 1);
  await press('ArrowUp');
  // Above it is nothing, and not the next time's cell.
  await chart.press('ArrowUp');
  while (!(await text()).includes('Errors 1')) await press('ArrowRight');
  expect(await text()).toContain(slowest);
  expect(await text()).toContain('Entries 1, Errors 1');
  await chart.press('Enter');
  await page.waitForURL(/traces\?.*minDurationMs=/);
  const asked = new URL(page.url()).searchParams;
  expect(Date.parse(asked.get('to') ?? '') - Date.parse(asked.get('from') ?? '')).toBeLessThanOrEqual(
    120_000,
  );
  const traces = page.getByRole('region', { name: 'Traces, newest first' }).getByRole('listitem');
  await expect.poll(() => traces.count()).toBe(1);
  expect(await traces.innerText()).toContain('POST /order');

  // Dragging over the lower half of the whole hour finds all that were fast; the period is that of the cells.
  await go(`${path}&latencies=time`);
  await chart.scrollIntoViewIfNeeded();
  const box = await chart.boundingBox();
  if (box === null) throw new Error('the chart isn’t shown');
  await page.mouse.move(box.x + 60, box.y + box.height - 30);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width - 12, box.y + box.height / 2);
  await expect.poll(() => part.locator('rect.cell').count()).toBe(1);
  // Just after it began, the last time isn't observed yet.
  expect(await part.locator('.chart .tip').innerText()).toMatch(/Entries|not observed/);
  await page.mouse.up();
  await page.waitForURL(/traces\?.*maxDurationMs=/);
  await expect.poll(() => traces.count()).toBe(23);
  expect(complaints).toEqual([]);
});
