/** Adding a site, and seeing its first page view come. */
import { expect, test } from 'vitest';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import { dropped, pageview, refused, session } from '../../lib/analytics/reports-world.ts';
import { addMember, createTenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { askApi, openDashboard } from './open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

const now = () => new Date(Date.now() - 60_000).toISOString();

test('a site is added, its snippet shown for each kind of site, and the first page view seen', async () => {
  const owner = await createTenant(stack().sql);
  const { page, complaints } = await openDashboard(stack(), newContext, owner, '/sites');
  await page.getByRole('link', { name: 'Add a website' }).click();
  await page.getByLabel('Name', { exact: true }).fill('Six Strings');
  await page.getByLabel('Domain').fill('not a host');
  const preview = page.getByRole('region', { name: 'What is then collected of whom' });
  expect(await preview.innerText()).toContain('No policy is saved');
  await page.getByLabel('Where you are established').selectOption('PT');
  expect(await preview.innerText()).not.toContain('No policy is saved');
  await page.getByLabel('Time zone').selectOption('Europe/Lisbon');
  await page.getByRole('button', { name: 'Add the website' }).click();
  expect(await page.getByRole('alert').innerText()).toContain('domain');
  await page.getByLabel('Domain').fill('https://Strings.example/shop?x=1');
  await page.getByRole('button', { name: 'Add the website' }).click();

  await page.getByText('Waiting for the first page view.').waitFor();
  const { data: sites } = (await askApi(stack(), owner, 'GET', '/sites')).body;
  const site = sites.find(({ name }: { name: string }) => name === 'Six Strings');
  expect(site).toMatchObject({
    ...{ domain: 'strings.example', jurisdiction: 'PT', timezone: 'Europe/Lisbon' },
    privacy: { consentMode: 'required', preConsentTier: 'counts' },
  });
  expect(new URL(page.url()).pathname).toBe(`/sites/${site.id}/install`);
  const code = page.getByRole('tabpanel').locator('code');
  expect(await code.innerText()).toBe(site.snippet);
  for (const kind of ['Next.js', 'Nuxt', 'Astro', 'WordPress']) {
    await page.getByRole('tab', { name: kind }).click();
    expect(await code.innerText()).toContain(site.id);
  }

  const fold = (message: ReturnType<typeof refused>) =>
    foldBatch(stack().sql, [{ ...message, siteId: site.id }], Date.now());
  await fold(refused([dropped(now(), 'hostname')]));
  await page.getByText('Are the domains right?').waitFor();
  await fold(session('Ada', [pageview(now(), '/')]));
  await page.getByText('It works.').waitFor();
  await page.getByRole('link', { name: 'To the overview' }).click();
  await expect.poll(() => new URL(page.url()).pathname).toBe(`/sites/${site.id}`);
  expect(complaints).toEqual([]);
});

test('a viewer is offered no new site', async () => {
  const owner = await createTenant(stack().sql);
  const viewer = await addMember(stack().sql, owner.projectId, 'viewer');
  const { page, go } = await openDashboard(stack(), newContext, viewer, '/sites');
  await page.getByRole('link', { name: 'Example' }).waitFor();
  expect(await page.getByRole('link', { name: 'Add a website' }).count()).toBe(0);
  await go('/sites/new');
  await page.getByText('can’t add a website').waitFor();
});

test('a new site’s page begins with its snippet, and says when and where the first visit came', async () => {
  const site = await createTenant(stack().sql);
  const path = `/sites/${site.siteId}`;
  const { page, complaints } = await openDashboard(stack(), newContext, site, path);
  await page.getByRole('heading', { name: 'Put the snippet into your pages' }).waitFor();
  expect(await page.locator('main code').innerText()).toContain(site.siteId);
  expect(await page.locator('.figures, .panel').count()).toBe(0);
  const visit = session('Ada', [pageview(now(), '/pricing')], { country: 'PT' });
  await foldBatch(stack().sql, [{ ...visit, siteId: site.siteId }], Date.now());
  const event = page.locator('.first-visit[role="status"]');
  await expect
    .poll(() => event.innerText())
    .toMatch(/Your first visit is here\s+.* · \/pricing · .*Portugal/);
  await expect.poll(() => page.locator('.figure .value').first().innerText()).toBe('1');
  await expect.poll(() => page.getByRole('region', { name: 'Pages' }).innerText()).toContain('/pricing');
  // It is seen once.
  await page.reload();
  await page.locator('.figures').waitFor();
  expect(await event.count()).toBe(0);
  expect(complaints).toEqual([]);
});
