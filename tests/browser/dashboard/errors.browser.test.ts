/** Errors in the dashboard: the list, one group with what led there, and its states. */
import { expect, test } from 'vitest';
import { createWorld, minutesAgo, type TestSpan } from '../../functions/telemetry/sent-spans.ts';
import { spanIdOf, traceIdOf } from '../../functions/telemetry/test-environment.ts';
import { linkPage } from '../../lib/associations/link-page.ts';
import { addMember, createSite } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { openDashboard } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

const thrown = (n: number, startMs: number, service: string, name: string): TestSpan => ({
  ...{ traceId: traceIdOf(n), spanId: spanIdOf(n), service, startMs, status: 2 },
  resource: { 'service.version': '1.2.0' },
  events: [
    {
      name: 'exception',
      attributes: {
        'exception.type': 'TypeError',
        'exception.message': 'Maria has no card',
        'exception.stacktrace': `TypeError: Maria has no card\n    at ${name} (/app/src/orders.js:1:2)`,
      },
    },
  ],
});

async function openErrors() {
  const world = await createWorld(stack());
  const siteId = await createSite(stack().sql, world.projectId);
  await world.send([0, 1, 2].map((n) => thrown(n, minutesAgo(3 + n), 'shop', 'chargeCard')));
  await world.send([thrown(7, minutesAgo(1), 'mail', 'sendMail')]);
  await world.rollUp();
  await linkPage(stack().sql, {
    ...{
      environmentId: world.environmentId,
      siteId,
      traceId: traceIdOf(0),
      at: minutesAgo(3),
      pages: ['/', '/cart'],
    },
  });
  const path = `/projects/${world.projectId}/${world.environmentId}/errors`;
  return { ...world, path, siteId, ...(await openDashboard(stack(), newContext, world.owner, path)) };
}

test('groups are listed, filtered and resolved, and one leads to its traces and pages', async () => {
  const { page, complaints, path, send, rollUp, go } = await openErrors();
  const rows = page.getByRole('list', { name: 'Errors' }).getByRole('listitem');
  await expect
    .poll(() => rows.locator('.what a').allInnerTexts())
    .toEqual([
      expect.stringContaining('sendMail · app/src/orders.js'),
      expect.stringContaining('chargeCard · app/src/orders.js'),
    ]);
  expect(await page.locator('main').innerText()).not.toContain('Maria');
  const shop = rows.filter({ hasText: 'chargeCard' });
  expect(await shop.innerText()).toMatch(/New.*shop.*release 1\.2\.0.*3 times/s);

  await shop.getByRole('button', { name: /^Resolve/ }).press('Enter');
  await shop.getByText('Resolved').waitFor();
  await page.getByLabel('State').selectOption('unsolved');
  await expect.poll(() => rows.count()).toBe(1);
  await send([thrown(3, Date.now() + 1000, 'shop', 'chargeCard')]);
  await rollUp(Date.now() + 2000);
  await go(`${path}?state=returned`);
  await rows.filter({ hasText: 'Returned' }).getByRole('link').click();

  await page.getByRole('heading', { name: /TypeError.*chargeCard/ }).waitFor();
  const main = page.locator('main');
  await main.getByRole('link', { name: 'example.com/cart' }).waitFor();
  expect(await main.innerText()).toMatch(/4 times/);
  await main.getByRole('button', { name: /^Ignore/ }).click();
  await main.getByText('It is counted on, and never returns.').waitFor();
  await main.locator('.error-links').first().getByRole('link').first().click();
  await page.waitForURL(new RegExp(`/traces/${traceIdOf(3)}`));
  expect(complaints).toEqual([]);
});

test('a viewer sees all and changes nothing', async () => {
  const { projectId, path } = await openErrors();
  const viewer = await addMember(stack().sql, projectId, 'viewer');
  const { page } = await openDashboard(stack(), newContext, viewer, path);
  const rows = page.getByRole('list', { name: 'Errors' }).getByRole('listitem');
  await expect.poll(() => rows.count()).toBe(2);
  expect(await rows.getByRole('button').count()).toBe(0);
});

test('without errors it says what would be here', async () => {
  const world = await createWorld(stack());
  await world.send([{ traceId: traceIdOf(1), spanId: spanIdOf(1), service: 'shop', startMs: minutesAgo(1) }]);
  const path = `/projects/${world.projectId}/${world.environmentId}/errors`;
  const { page } = await openDashboard(stack(), newContext, world.owner, path);
  await page.getByText('Nothing failed in this period').waitFor();
  expect(await page.locator('.empty').innerText()).toContain('span.recordException(error)');
});
