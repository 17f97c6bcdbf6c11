/** Metrics and outcomes in the dashboard. */
import { expect, test } from 'vitest';
import { gauge, minute, point, send } from '../../functions/telemetry/metric-points.ts';
import {
  createTestEnvironment,
  nano,
  spanIdOf,
  traceIdOf,
} from '../../functions/telemetry/test-environment.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { openDashboard } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

test('a metric is found by a part of its name, and drawn in groups as the API answers', async () => {
  const environment = await createTestEnvironment(stack());
  const degrees = (room: string, value: number) => point(minute(3), { asDouble: value }, { room });
  await send(environment, 'house', [gauge('room.warmth', [degrees('hall', 18.5), degrees('attic', 25)])]);
  await send(environment, 'house', [gauge('roof.rain', [point(minute(3), { asDouble: 1 })])]);
  const path = `/projects/${environment.projectId}/${environment.environmentId}/metrics`;
  const { page, complaints, go } = await openDashboard(stack(), newContext, environment.owner, path);
  const list = page.getByRole('list', { name: 'Metrics' }).getByRole('listitem');
  await expect.poll(() => list.count()).toBe(2);
  await page.getByLabel('Part of the name').fill('WARM');
  await page.keyboard.press('Enter');
  await expect.poll(() => list.count()).toBe(1);
  expect(await list.innerText()).toContain('Gauge · Cel · 2 series · house');
  await list.getByRole('link').click();
  await page.waitForURL(/name=room\.warmth/);

  const shown = page.getByRole('region', { name: 'room.warmth' });
  await page.getByLabel('Aggregation').selectOption('max');
  await page.getByLabel('Group by').selectOption('room');
  // A day has too many minutes.
  const interval = page.getByLabel('Interval');
  expect(await interval.locator('option').allInnerTexts()).not.toContain('1m');
  await go(`${path}?name=room.warmth&aggregation=max&groupBy=room&period=1h`);
  await interval.selectOption('1h');
  await page.waitForURL(/interval=1h/);
  await interval.selectOption('1m');
  await page.waitForURL(/interval=1m/);
  await expect.poll(() => shown.getByRole('listitem').count()).toBe(2);
  const chart = shown.getByRole('slider');
  const { data } = await environment.get<{
    data: { groups: { attributes: { room: string }; values: { value: number | null }[] }[] };
  }>('metrics?name=room.warmth&aggregation=max&groupBy=room&interval=1m&period=1h');
  expect(data.groups.map(({ attributes }) => attributes.room)).toEqual(['attic', 'hall']);
  const at = data.groups[0]?.values.findIndex(({ value }) => value !== null) ?? -1;
  await chart.press('Home');
  expect(await chart.getAttribute('aria-valuetext')).toContain('attic not observed, hall not observed');
  for (let step = 0; step < at; step += 1) await chart.press('ArrowRight');
  await expect.poll(() => chart.getAttribute('aria-valuetext')).toContain(`attic 25 Cel, hall 18.5 Cel`);

  await go(`${path}?name=room.warmth&aggregation=p95`);
  expect(await page.getByRole('alert').innerText()).toContain('aggregation');
  expect(complaints).toEqual([]);
});

test('outcomes are summed exactly by type and currency, and say where they come from', async () => {
  const environment = await createTestEnvironment(stack());
  const outcome = (id: string, type: string, amount: string, currency: string) => ({
    ...{ source: 'shop', domainEventId: id, type, value: { amount, currency } },
    occurredAt: new Date(Date.now() - 60_000).toISOString(),
  });
  const large = { ...outcome('1', 'order.paid', '999999999999.10', 'EUR'), traceId: traceIdOf(7) };
  for (const one of [
    large,
    outcome('2', 'order.paid', '0.2', 'EUR'),
    outcome('3', 'order.paid', '1200', 'JPY'),
    outcome('4', 'order.refunded', '0.2', 'EUR'),
  ])
    expect(await environment.tell(one)).toBe(201);
  expect(await environment.tell(large)).toBe(200);
  expect(await environment.tell({ ...large, type: 'other' })).toBe(409);
  const path = `/projects/${environment.projectId}/${environment.environmentId}/outcomes`;
  const { page, complaints } = await openDashboard(stack(), newContext, environment.owner, path);
  const types = page.getByRole('region', { name: 'By type' });
  const paid = types.getByRole('row', { name: /order\.paid/ });
  await paid.waitFor();
  expect((await paid.innerText()).replaceAll('\u00a0', ' ')).toMatch(
    /3\s+EUR 999,999,999,999\.30?\s+JPY 1,200/,
  );
  const list = page.getByRole('region', { name: 'Outcomes, newest first' }).getByRole('listitem');
  await expect.poll(() => list.count()).toBe(4);
  expect(await list.filter({ hasText: 'shop 1 ' }).innerText()).toMatch(
    /sent 3 times · 1 conflict · No span is stored of its trace 0+8$/,
  );
  await types.getByRole('link', { name: 'order.refunded' }).click();
  await expect.poll(() => list.count()).toBe(1);
  expect(await list.innerText()).toContain('no sending named a trace');
  expect(complaints).toEqual([]);
});

test('exemplars below the chart lead to the traces in which they were measured', async () => {
  const environment = await createTestEnvironment(stack());
  const at = minute(3);
  const exemplars = [
    { timeUnixNano: nano(at + 5), asDouble: 18.5, traceId: traceIdOf(7), spanId: spanIdOf(8) },
    { timeUnixNano: nano(at + 1), asDouble: 12.25 },
  ];
  await send(environment, 'house', [
    gauge('room.warmth', [point(at, { asDouble: 18.5, exemplars }, { room: 'hall' })]),
    gauge('roof.rain', [point(at, { asDouble: 1 })]),
  ]);
  const path = `/projects/${environment.projectId}/${environment.environmentId}/metrics`;
  const { page, complaints, go } = await openDashboard(
    stack(),
    newContext,
    environment.owner,
    `${path}?name=room.warmth&aggregation=max`,
  );
  const part = page.getByRole('region', { name: 'Exemplars: measured values with their traces' });
  const rows = part.locator('tbody tr');
  await expect.poll(() => rows.count()).toBe(2);
  expect(await rows.locator('td:nth-child(2)').allInnerTexts()).toEqual(['18.5', '12.3']);
  expect(await rows.locator('td:nth-child(5)').allInnerTexts()).toEqual(['room=hall', 'room=hall']);
  expect(await part.getByRole('link').count()).toBe(1);
  await page.setViewportSize({ width: 375, height: 800 });
  await part.getByRole('link').click();
  await page.waitForURL(new RegExp(`/traces/${traceIdOf(7)}\\?.*span=${spanIdOf(8)}`));

  // Senders of this one gave none, so there is nothing to show.
  await go(`${path}?name=roof.rain&aggregation=max`);
  await page.getByRole('region', { name: 'roof.rain' }).waitFor();
  await page.waitForLoadState('networkidle');
  expect(await part.count()).toBe(0);
  expect(complaints).toEqual([]);
});
