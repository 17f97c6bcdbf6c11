import { beforeAll, expect, test } from 'vitest';
import { defineDemo, demoCall } from '../../dev/demo/define-goals.ts';
import { fillSite } from '../../dev/demo/fill-demo-site.ts';
import { generateBackendDay } from '../../dev/demo/telemetry/backend-day.ts';
import { demoSender, fillBackend } from '../../dev/demo/telemetry/fill-demo-backend.ts';
import { type DemoAccount, ensureDemoAccount, ensureDemoSite, withSession } from '../../dev/demo-account.ts';
import { routes } from '../../functions/analytics/contract.ts';
import { DropReason } from '../../lib/collection/track-message.ts';
import { EXPORTED } from '../../lib/export/export-report.ts';
import { createShareSecrets } from '../../lib/shares/secret.ts';
import { VALUE_LISTS } from '../../lib/visits/dimensions.ts';
import { useOwnStack } from './use-stack.ts';

const DAYS = 30;
const SEED = 3;
/** Enough for a busy machine with other tests. */
const FILL_TIMEOUT_MS = 300_000;
const BASE = '/api/v1/sites/:siteId/analytics/';

let account: DemoAccount;
let shareUrl: string | undefined;
const stack = useOwnStack({
  seed: async (sql) => {
    account = await ensureDemoAccount(sql);
    return { demoSiteId: account.siteId };
  },
});

const fill = (now: number) =>
  fillSite({
    sql: stack().sql,
    siteId: account.siteId,
    days: DAYS,
    seed: SEED,
    visitsPerDay: 25,
    now,
    ordersOf: (day) => generateBackendDay(SEED, day, now).orders,
    onDay: () => {},
  });

beforeAll(async () => {
  const { sql, baseUrl } = stack();
  const { siteId, userId, projectId, environmentId } = await ensureDemoSite(sql);
  const now = Date.now();
  await fill(now);
  const demo = { siteId, projectId, environmentId, days: DAYS };
  await withSession(sql, userId, async (actor) => {
    const shareSecrets = createShareSecrets('s'.repeat(32));
    const ctx = { ...demoCall, sql, actor, publicUrl: baseUrl, shareSecrets, now: () => now };
    ({ shareUrl } = await defineDemo(ctx, demo));
    // Doing it again changes nothing.
    expect(await defineDemo(ctx, demo)).toEqual({ shareUrl: undefined });
  });
  const sender = { ...(await demoSender(sql, { projectId, environmentId })), now: () => now };
  await fillBackend({ ctx: sender, days: DAYS, seed: SEED, onDay: () => {} });
}, FILL_TIMEOUT_MS);

const ask = (path: string) =>
  stack().fetch(BASE.replace(':siteId', account.siteId) + path, {
    headers: { Authorization: `Bearer ${account.apiToken}` },
  });

async function dataOf(path: string): Promise<unknown> {
  const response = await ask(path);
  const body = await response.text();
  expect([path, response.status, body]).toEqual([path, 200, expect.stringContaining('"data"')]);
  return (JSON.parse(body) as { data: unknown }).data;
}

const funnelId = async () => ((await dataOf('funnels')) as { id: string }[])[0]?.id ?? '';

/** The requests of routes that need more than their path. Each answer must have data. */
const asked: Record<string, () => Promise<string[]>> = {
  // Filling again adds current visitors, even if the first time took long.
  live: async () => {
    await fill(Date.now());
    return ['live'];
  },
  reports: async () => ['reports?report=overview,timeseries,pages:5,utm_campaign,goals'],
  utm: async () => ['source', 'medium', 'campaign', 'term', 'content'].map((by) => `utm?by=${by}`),
  'visit-quality': async () => ['source', 'page', 'entry_page'].map((by) => `visit-quality?by=${by}`),
  'events/:name/props': async () => [
    'events/purchase/props',
    'events/Form/props?key=form',
    'events/Outbound%20link/props?key=url',
    'events/Download/props?key=url',
  ],
  'funnels/:funnelId/report': async () => [`funnels/${await funnelId()}/report`],
  associations: async () => ['associations?page=/demo/checkout'],
  export: async () => {
    const more: Record<string, string> = {
      utm: '&by=campaign',
      'visit-quality': '&by=entry_page',
      associations: '&page=/demo/checkout',
      'event-props': '&event=purchase',
      funnels: `&funnel=${await funnelId()}`,
    };
    return EXPORTED.map((report) => `export?report=${report}${more[report] ?? ''}`);
  },
};

/** Whether a report has data: a list with items, or an object in which every number and list has data. */
function tells(data: unknown): boolean {
  if (Array.isArray(data)) return data.length > 0;
  if (typeof data === 'object' && data !== null) return Object.values(data).every(tells);
  return typeof data === 'number' ? data !== 0 : data !== undefined && data !== '';
}

/** Some values may be empty: changes against a time before the shop existed, the loss before a first step, and what is said about a report. */
const hasData = (data: unknown): boolean =>
  tells(
    JSON.parse(
      JSON.stringify(data, (name, value) => (/Change$|^dropOff$|^meta$/.test(name) ? undefined : value)),
    ),
  );

const reports = Object.values(routes)
  .filter(({ method, path }) => method === 'GET' && path.startsWith(BASE))
  .map(({ path }) => path.slice(BASE.length));

test.each(reports)('%s isn’t empty', async (report) => {
  const paths = (await asked[report]?.()) ?? [report];
  for (const path of paths) {
    if (report === 'export') {
      const lines = (await (await ask(path)).text()).trimEnd().split('\r\n');
      expect([path, lines.length > 1]).toEqual([path, true]);
    } else expect([path, hasData(await dataOf(path))]).toEqual([path, true]);
  }
});

test.each(VALUE_LISTS.map(({ path }) => path))('%s has several values that are known', async (list) => {
  const items = (await dataOf(`${list}?limit=100`)) as { value: string }[];
  expect(items.filter(({ value }) => value !== 'Unknown').length).toBeGreaterThan(1);
});

test('the channels have assistants, search, social, mail and advertisements', async () => {
  const items = (await dataOf('channels?limit=100')) as { value: string }[];
  expect(items.map(({ value }) => value)).toEqual(
    expect.arrayContaining([
      'AI assistants',
      'Organic search',
      'Paid search',
      'Organic social',
      'Paid social',
      'Organic video',
      'Email',
      'Affiliates',
      'Referral',
      'Direct',
    ]),
  );
});

test('something was dropped for every reason', async () => {
  const items = (await dataOf('dropped')) as { reason: string }[];
  expect(items.map(({ reason }) => reason).sort()).toEqual([...DropReason.options].sort());
});

test('visitors come back in later weeks, and every goal is reached', async () => {
  const weeks = (await dataOf('retention')) as { visitors: number; returned: number[] }[];
  expect(weeks.length).toBeGreaterThan(4);
  expect(weeks.some(({ returned }) => returned.some((count) => count > 0))).toBe(true);
  const goals = (await dataOf('goals/report')) as { conversions: number }[];
  expect(goals.every(({ conversions }) => conversions > 0)).toBe(true);
});

test('the share shows the reports to everybody', async () => {
  const response = await fetch(`${shareUrl}/analytics/overview`);
  expect([response.status, hasData(((await response.json()) as { data: unknown }).data)]).toEqual([
    200,
    true,
  ]);
});
