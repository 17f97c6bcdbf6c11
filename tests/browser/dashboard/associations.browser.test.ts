/** From a trace to the pages around it, and from a page to its requests, as the API tells them. */
import { expect, test } from 'vitest';
import type { Journey } from '../../../lib/telemetry/journey-schemas.ts';
import { createWorld, minutesAgo, order } from '../../functions/telemetry/sent-spans.ts';
import { linkPage } from '../../lib/associations/link-page.ts';
import { createSite } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { askApi, openDashboard } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

async function linked() {
  const world = await createWorld(stack());
  const siteId = await createSite(stack().sql, world.projectId);
  const spans = order(1, minutesAgo(3));
  const [entry] = spans;
  if (entry === undefined) throw new Error('no span');
  await world.send([
    { ...entry, attributes: { ...entry.attributes, 'vendor.page.origin': 'https://example.com' } },
    ...spans.slice(1),
  ]);
  const { traceId } = entry;
  await linkPage(stack().sql, {
    ...world,
    siteId,
    traceId,
    at: minutesAgo(3) + 500,
    pages: ['/', '/cart', '/checkout'],
  });
  const path = `/projects/${world.projectId}/${world.environmentId}`;
  return { ...world, siteId, traceId, entry, path };
}

test('a trace leads to the pages around it, and a page to its requests', async () => {
  const { owner, siteId, traceId, path, get } = await linked();
  const { data: journey } = await get<{ data: Journey }>(`traces/${traceId}/journey`);
  expect(journey.association).toMatchObject({ evidence: 'both sides', pageView: 2 });

  const { page, complaints } = await openDashboard(stack(), newContext, owner, `${path}/traces/${traceId}`);
  const card = page.getByRole('region', { name: 'Journey' });
  await card.waitFor();
  const pages = card.getByRole('listitem');
  expect(await pages.getByRole('link').allInnerTexts()).toEqual(
    journey.pageViews.map(({ path: shown }) => shown),
  );
  expect(await pages.locator('strong').allInnerTexts()).toEqual(['asked']);
  expect(await card.locator('[aria-current=step]').innerText()).toContain('/checkout');
  expect(await card.getByText('Both sides', { exact: true }).count()).toBe(1);
  expect(await card.innerText()).toContain(`${journey.visit?.domain}, from Google`);
  await card.getByRole('button', { name: /^answered by/ }).click();
  await page.getByRole('complementary', { name: 'Span' }).waitFor();

  await card.getByRole('link', { name: '/checkout' }).click();
  await page.waitForURL(/filter_page=/);
  const requests = page.getByRole('region', { name: 'Requests to backends' });
  await requests.scrollIntoViewIfNeeded();
  const asked = await askApi(stack(), owner, 'GET', `/sites/${siteId}/analytics/associations?page=/checkout`);
  const [row, ...others] = asked.body.data;
  expect(others).toEqual([]);
  const cells = await requests.getByRole('row').nth(1).getByRole('cell').allInnerTexts();
  expect(cells[0]).toContain(row.operation);
  expect(cells[1]).toBe('1');
  expect(cells[2]).toBe(`${row.failed} (${row.failed === 0 ? '0' : '100'}%)`);
  expect(cells[5]).toBe('Both sides 1');
  await requests.getByRole('link', { name: 'slowest' }).click();
  await page.waitForURL((url) => url.pathname === `${path}/traces/${traceId}`);
  expect(complaints).toEqual([]);
}, 180_000);

test('a site without associations and a backend without sites show nothing of it', async () => {
  const world = await createWorld(stack());
  const siteId = await createSite(stack().sql, world.projectId);
  const [entry, ...others] = order(1, minutesAgo(3));
  if (entry === undefined) throw new Error('no span');
  await world.send([entry, ...others]);
  const path = `/projects/${world.projectId}/${world.environmentId}`;
  const answered = (part: string) => (response: { url(): string }) => response.url().includes(part);
  const { page, go, complaints } = await openDashboard(stack(), newContext, world.owner, `${path}/traces`);
  const journeyAnswer = page.waitForResponse(answered('/journey'));
  await go(`${path}/traces/${entry.traceId}`);
  await journeyAnswer;
  await page.getByRole('tree').waitFor();
  expect(await page.getByRole('region', { name: 'Journey' }).count()).toBe(0);
  const asked = page.waitForResponse(answered('/associations'));
  await go(`/sites/${siteId}?filter_page=/checkout`);
  await asked;
  expect(await page.getByText('Requests to backends').count()).toBe(0);
  expect(complaints).toEqual([]);
}, 180_000);
