/** From what was refused to its rule: the page of docs/counting.md. */
import { createRequire } from 'node:module';
import { expect, test } from 'vitest';
import { dropped, pageview, refused, session } from '../../lib/analytics/reports-world.ts';
import { useStack } from '../../services/use-stack.ts';
import { useChromium } from '../chromium.ts';
import { newSite, openDashboard } from './open-dashboard.ts';

const require = createRequire(import.meta.url);
const stack = useStack();
const newContext = useChromium();

const AN_HOUR_AGO = new Date(Date.now() - 3_600_000).toISOString();

test('a reason leads to its rule, on a page that everybody can read', async () => {
  const shop = await newSite(
    stack(),
    session('Ada', [pageview(AN_HOUR_AGO, '/')]),
    refused([dropped(AN_HOUR_AGO, 'hostname')]),
  );
  const { page, complaints } = await openDashboard(
    stack(),
    newContext,
    shop,
    `/sites/${shop.siteId}?period=7d&lang=es`,
  );
  await page.locator('summary', { hasText: '¿Por qué' }).click();
  const toRule = page.getByRole('link', { name: 'Otros hosts' });
  expect(await toRule.getAttribute('hreflang')).toBe('en');
  await page.context().addInitScript({ path: require.resolve('axe-core/axe.min.js') });
  const [rules] = await Promise.all([page.context().waitForEvent('page'), toRule.click()]);
  await rules.waitForURL(`${stack().baseUrl}/docs/counting#hostname`);
  await expect.poll(() => rules.locator(':target').innerText()).toBe('hostname');
  await expect.poll(() => rules.locator(':target').isVisible()).toBe(true);
  for (const width of [1280, 375])
    for (const colorScheme of ['light', 'dark'] as const) {
      await rules.setViewportSize({ width, height: 800 });
      await rules.emulateMedia({ colorScheme });
      const isWider = 'document.documentElement.scrollWidth > document.documentElement.clientWidth';
      expect(await rules.evaluate(isWider)).toBe(false);
      const broken = await rules.evaluate(async () => {
        const { axe } = window as unknown as {
          axe: {
            run: (what: Document) => Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
          };
        };
        const { violations } = await axe.run(document);
        return violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html}`);
      });
      expect(broken).toEqual([]);
    }
  expect(complaints).toEqual([]);
});
