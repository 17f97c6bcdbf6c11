/** The latency histogram of a service in the dashboard. */
import { expect, test } from 'vitest';
import type { LatencyHistogram } from '../../../lib/telemetry/span-schemas.ts';
import { createWorld, minutesAgo, type TestSpan } from '../../functions/telemetry/sent-spans.ts';
import { spanIdOf, traceIdOf } from '../../functions/telemetry/telemetry-place.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { openDashboard, openNumbers } from './open-dashboard.ts';

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
  if (box === null) throw new Error('the chart has no place');
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
