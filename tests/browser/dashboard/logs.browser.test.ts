/** Logs in the dashboard. */
import { expect, test } from 'vitest';
import type { LogVolume } from '../../../lib/telemetry/log-schemas.ts';
import { newSpanId, newTraceId } from '../../functions/receiver/backend-sender.ts';
import { createWorld, minutesAgo } from '../../functions/telemetry/sent-spans.ts';
import { attributesOf, nano } from '../../functions/telemetry/test-environment.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { openDashboard, openNumbers } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

interface TestLog {
  at: number;
  text: string;
  severity?: number;
  service?: string;
  attributes?: Record<string, string | number>;
  traceId?: string;
  spanId?: string;
}

async function openLogs(logs: readonly TestLog[]) {
  const world = await createWorld(stack());
  const post = (records: readonly TestLog[]) =>
    world.post('/v1/logs', {
      resourceLogs: records.map(({ service = 'shop', ...record }) => ({
        resource: { attributes: attributesOf({ 'service.name': service }) },
        scopeLogs: [
          {
            logRecords: [
              {
                ...{ timeUnixNano: nano(record.at), severityNumber: record.severity ?? 9 },
                ...{ body: { stringValue: record.text }, traceId: record.traceId, spanId: record.spanId },
                attributes: attributesOf(record.attributes ?? {}),
              },
            ],
          },
        ],
      })),
    });
  await post(logs);
  const path = `/projects/${world.projectId}/${world.environmentId}/logs`;
  const opened = await openDashboard(stack(), newContext, world.owner, path);
  const list = opened.page.getByRole('listbox', { name: 'Log records, newest first' });
  const texts = () => list.getByRole('option').locator('.text').allInnerTexts();
  const panel = opened.page.getByRole('complementary', { name: 'Record' });
  return { ...world, ...opened, post, path, list, texts, panel };
}

test('records have severities in words, and are found by words, severity and attributes', async () => {
  const at = minutesAgo(5);
  const [traceId, spanId] = [newTraceId(), newSpanId()];
  const { page, list, texts, panel, complaints } = await openLogs([
    { at, text: 'card declined', severity: 17, attributes: { 'order.id': 'o-1' }, traceId, spanId },
    { at: at + 1000, text: 'order placed', attributes: { 'order.id': 'o-1' } },
    { at: at + 2000, text: 'stock is low', severity: 13, attributes: { 'order.id': 'o-2' } },
    { at: at + 3000, text: 'mail sent', service: 'mail' },
  ]);
  await expect.poll(texts).toEqual(['mail sent', 'stock is low', 'order placed', 'card declined']);
  expect(await list.locator('.severity').allInnerTexts()).toEqual(['Info', 'Warning', 'Info', 'Error']);

  await page.getByLabel('At least').selectOption('warn');
  await expect.poll(texts).toEqual(['stock is low', 'card declined']);
  await page.getByLabel('At least').selectOption('');
  await page.getByLabel('Words of the text').fill('order');
  await page.keyboard.press('Enter');
  await expect.poll(texts).toEqual(['order placed']);
  await list.getByRole('option').click();
  await panel.getByRole('link', { name: 'o-1' }).click();
  await page.getByLabel('Words of the text').fill('');
  await page.getByRole('button', { name: 'Search' }).click();
  await expect.poll(texts).toEqual(['order placed', 'card declined']);

  await list.press('End');
  await expect.poll(() => panel.innerText()).toContain('card declined');
  await list.press('k');
  await expect.poll(() => panel.innerText()).toContain('order placed');
  await list.press('j');
  await expect
    .poll(() => panel.getByRole('link', { name: 'To its trace' }).getAttribute('href'))
    .toContain(`/traces/${traceId}?span=${spanId}`);
  expect(complaints).toEqual([]);
});

test('the context of a record is what its service said around it', async () => {
  const at = minutesAgo(20);
  const beat = (n: number): TestLog => ({ at: at + n * 100, text: `beat ${n}` });
  const { list, texts, panel, go, path, complaints } = await openLogs([
    { at: at - 60_000, text: 'long before', severity: 17 },
    ...Array.from({ length: 120 }, (_, n) => beat(n)),
    { at: at + 50, text: 'the failure', severity: 17 },
    { at: at + 60, text: 'of another service', service: 'mail', severity: 17 },
  ]);
  await go(`${path}?severity=error&service=shop`);
  await expect.poll(texts).toEqual(['the failure', 'long before']);
  await list.getByRole('option').first().click();
  await panel.getByRole('link', { name: '15 s around it' }).click();
  // It is on the second page, which is loaded because the address names the record.
  const neighbours = async () => {
    const around = await texts();
    const index = around.indexOf('the failure');
    return around.slice(index - 1, index + 2);
  };
  await expect.poll(neighbours).toEqual(['beat 1', 'the failure', 'beat 0']);
  expect(await list.locator('[aria-selected=true] .text').innerText()).toBe('the failure');
  expect(await texts()).not.toContain('of another service');
  expect(complaints).toEqual([]);
});

test('live, what comes in stands above the rest by itself', async () => {
  const { page, texts, post, complaints } = await openLogs([{ at: minutesAgo(1), text: 'before' }]);
  await page.getByRole('button', { name: 'Follow live' }).click();
  await expect.poll(texts).toEqual(['before']);
  await post([{ at: Date.now() - 500, text: 'just now' }]);
  await expect.poll(texts).toEqual(['just now', 'before']);
  await page.getByRole('button', { name: 'Stop following' }).click();
  expect(page.url()).not.toContain('live');
  expect(complaints).toEqual([]);
});

test('bars count records by time and severity, and become the period', async () => {
  const at = minutesAgo(30);
  const { page, texts, complaints, get } = await openLogs([
    ...[0, 1, 2].map((n): TestLog => ({ at: at + n, text: `early ${n}`, severity: n === 0 ? 17 : 9 })),
    { at: at + 20 * 60_000, text: 'late', severity: 13 },
  ]);
  const volume = page.getByRole('region', { name: 'Records by time and severity' });
  const chart = volume.getByRole('slider');
  await chart.waitFor();
  const { data } = await get<{ data: LogVolume }>('log-volume');
  const sum = (of: 'info' | 'warn' | 'error') => data.intervals.reduce((all, one) => all + (one[of] ?? 0), 0);
  expect([sum('info'), sum('warn'), sum('error')]).toEqual([2, 1, 1]);
  await openNumbers(volume);
  const column = async (n: number) =>
    (await volume.locator(`tbody td:nth-child(${n})`).allInnerTexts()).reduce(
      (all, one) => all + Number(one),
      0,
    );
  expect(await volume.getByRole('columnheader').allInnerTexts()).toEqual([
    ...['Time (UTC)', 'Error', 'Warning', 'Info'],
  ]);
  expect([await column(2), await column(3), await column(4)]).toEqual([1, 1, 2]);

  // The same filters as the list.
  await page.getByLabel('At least').selectOption('warn');
  await expect.poll(texts).toEqual(['late', 'early 0']);
  await expect.poll(() => volume.getByRole('columnheader').count()).toBe(3);

  // By keyboard to the bar that has the error, whose quarter of an hour becomes the period.
  await chart.focus();
  await chart.press('Home');
  for (let n = 0; n < 100 && !(await chart.getAttribute('aria-valuetext'))?.includes('Error 1'); n++)
    await chart.press('ArrowRight');
  await chart.press('Enter');
  await page.waitForURL(/from=.*to=/);
  await expect.poll(texts).toEqual(['early 0']);
  const zoomed = new URL(page.url()).searchParams;
  expect(Date.parse(zoomed.get('to') ?? '') - Date.parse(zoomed.get('from') ?? '')).toBe(15 * 60_000);
  await page.goBack();
  await expect.poll(texts).toEqual(['late', 'early 0']);

  // All of the chart, by dragging.
  await chart.hover({ position: { x: 60, y: 60 } });
  await page.mouse.down();
  const box = await chart.boundingBox();
  await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) - 12, (box?.y ?? 0) + 60);
  await page.mouse.up();
  await page.waitForURL(/from=.*to=/);
  await expect.poll(texts).toEqual(['late', 'early 0']);
  expect(complaints).toEqual([]);
});
