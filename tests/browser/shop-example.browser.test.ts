/** The example of a shop, as its README says: what somebody who buys leaves behind, and that privacy leaves no link. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import type { BrowserContextOptions } from 'playwright-core';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { findPort } from '../../dev/free-port.ts';
import type { Journey } from '../../lib/telemetry/journey-schemas.ts';
import { asMember } from '../functions/telemetry/member.ts';
import { createWorld } from '../functions/telemetry/sent-spans.ts';
import { REGISTER, variables } from '../packages/sdk-node/run-app.ts';
import { startShopDatabase } from '../packages/sdk-node/shop-database.ts';
import { addIngestKey } from '../security/session.ts';
import { useStack } from '../services/use-stack.ts';
import { useChromium } from './chromium.ts';
import { askApi } from './dashboard/open-dashboard.ts';

const stack = useStack();
const newContext = useChromium();

const SHOP = fileURLToPath(new URL('../../examples/shop/', import.meta.url));
const SOON = { timeout: 30_000, interval: 200 };

let database: Awaited<ReturnType<typeof startShopDatabase>>;
beforeAll(async () => {
  database = await startShopDatabase();
});
afterAll(() => database.close());

type World = Awaited<ReturnType<typeof createWorld>>;

/** A site and an environment that has the shop's origin, and the shop, open. */
async function openShop(preConsentTier?: 'sessions') {
  const world = await createWorld(stack());
  const { owner, projectId, environmentId } = world;
  const port = await findPort(0, '--port');
  const origin = `http://localhost:${port}`;
  const { body } = await askApi(stack(), owner, 'POST', '/sites', { domain: 'localhost', name: 'Shop' });
  const site: string = body.data.id;
  if (preConsentTier) {
    const policy = { jurisdiction: 'US', consentMode: 'required', retentionMonths: 25, preConsentTier };
    expect((await askApi(stack(), owner, 'PUT', `/sites/${site}/privacy`, policy)).status).toBe(200);
  }
  const set = await asMember(stack(), owner, world).send('PUT', 'origins', {
    origins: [{ origin, siteIds: [site] }],
  });
  expect(set.status).toBe(200);
  const { key } = await addIngestKey(stack().sql, projectId);

  const shop = spawn(process.execPath, [...REGISTER, 'shop.mjs'], {
    cwd: SHOP,
    env: {
      ...{ PATH: process.env.PATH, NODE_NO_WARNINGS: '1', PORT: String(port) },
      ...variables(stack().baseUrl),
      ...{ VENDOR_API_KEY: key, VENDOR_PAGE_ORIGINS: origin },
      ...{ DATABASE_URL: database.url, SHOP_SITE: site },
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void shop.kill('SIGKILL'));
  let printed = '';
  shop.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed += text;
  });
  await expect.poll(() => printed, SOON).toContain('The shop is open');
  return {
    ...{ world, site, origin, environmentId, projectId },
    /** What it collected is stored after this. */
    async close(): Promise<void> {
      shop.kill('SIGTERM');
      await once(shop, 'exit');
    },
  };
}

/** Looks at the items, chooses one and buys it. Returns what the page says. */
async function buy(origin: string, options?: BrowserContextOptions): Promise<string> {
  const page = await (await newContext(options)).newPage();
  const complaints: string[] = [];
  page.on('pageerror', ({ message }) => complaints.push(message));
  await page.goto(origin);
  // Who leaves before the policy was read is counted without an id.
  await page.waitForLoadState('networkidle');
  await page.getByRole('link', { name: 'Strings' }).click();
  // At tier 3 the part that watches requests is there after the policy was read.
  await page.waitForLoadState('networkidle');
  await page.getByRole('button', { name: 'Buy' }).click();
  const status = page.getByRole('status');
  await expect.poll(() => status.innerText(), SOON).not.toBe('');
  const said = await status.innerText();
  // Leaving sends what the tracker still holds.
  await page.goto('about:blank');
  expect(complaints).toEqual([]);
  return said;
}

interface Root {
  traceId: string;
  name: string;
}

const findOrders = async ({ get }: World): Promise<Root[]> => {
  const { data } = await get<{ data: Root[] }>('traces?operation=POST%20%2Forders');
  return data;
};

test('a purchase: the pages, the request with its SQL and log line, and the outcome, each with its evidence', async () => {
  const { world, site, origin, close } = await openShop();
  expect(await buy(origin)).toMatch(/^Thank you\. Your order is number \d+\.$/);
  await close();
  await expect.poll(() => findOrders(world), SOON).toHaveLength(1);
  const [root] = await findOrders(world);
  const journeyOf = async () => (await world.get<{ data: Journey }>(`traces/${root?.traceId}/journey`)).data;
  await expect.poll(async () => (await journeyOf()).association?.evidence, SOON).toBe('both sides');
  // Each page view, the spans and the outcome come in requests of their own.
  await expect
    .poll(async () => (await journeyOf()).pageViews.map(({ path }) => path), SOON)
    .toEqual(['/', '/items/2']);
  await expect.poll(async () => (await journeyOf()).outcomes.length, SOON).toBe(1);
  const journey = await journeyOf();
  expect(journey.association).toMatchObject({ origin, status: 201, pageView: 1, span: 0 });
  expect(journey.spans).toMatchObject([
    { name: 'POST /orders', kind: 'server' },
    { name: 'SELECT shop_items', kind: 'client' },
    { name: 'INSERT shop_orders', kind: 'client' },
  ]);
  expect(journey.outcomes).toMatchObject([
    {
      type: 'order.paid',
      value: { amount: '14.50', currency: 'EUR' },
      evidence: 'outcome provenance',
      span: 0,
    },
  ]);
  const logs = () => world.get<{ data: { body: string }[] }>(`logs?traceId=${root?.traceId}`);
  await expect.poll(async () => (await logs()).data, SOON).toMatchObject([{ body: 'paid' }]);
  const asked = await askApi(
    stack(),
    world.owner,
    'GET',
    `/sites/${site}/analytics/associations?page=/items/2`,
  );
  expect(asked.body.data).toMatchObject([{ operation: 'POST /orders' }]);
}, 180_000);

test.each([
  ['at tier 2', 'sessions' as const, undefined],
  ['with Global Privacy Control', undefined, { extraHTTPHeaders: { 'Sec-GPC': '1' } }],
])(
  '%s: the order arrives, and no link',
  async (_, preConsentTier, options) => {
    const { world, origin, close } = await openShop(preConsentTier);
    expect(await buy(origin, options)).toMatch(/^Thank you/);
    await close();
    await expect.poll(() => findOrders(world), SOON).toHaveLength(1);
    const [root] = await findOrders(world);
    const { data: journey } = await world.get<{ data: Journey }>(`traces/${root?.traceId}/journey`);
    expect(journey).toMatchObject({ association: null, pageViews: [], outcomes: [{ type: 'order.paid' }] });
  },
  90_000,
);
