import { describe, expect, test } from 'vitest';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import type { StoredEvent } from '../../../lib/collection/track-message.ts';
import type { SharedReport } from '../../../lib/shares/schemas.ts';
import { consented, pageview, session } from '../../lib/analytics/reports-world.ts';
import { createTenant, type Tenant } from '../../security/tenant.ts';
import { addShare } from '../../security/test-share.ts';
import { useStack } from '../../services/use-stack.ts';
import { type Door, doors, getReport } from './doors.ts';

const stack = useStack();
const DAY_MS = 86_400_000;
const NONE = { inp: null, cls: null, fcp: null, ttfb: null };
const rated = (good: number, needsImprovement: number) => ({
  lcp: { good, needsImprovement, poor: 0 },
  ...NONE,
});

describe.each<[string, Door]>(Object.entries(doors))('attention and vitals, in %s', (_, door) => {
  const get = (tenant: Tenant, report: string) => getReport(door, stack(), tenant, report);

  /** A site with engagement and vitals of three consented page views of yesterday, and with one visitor without consent. */
  async function createReadSite(): Promise<Tenant> {
    const { sql } = stack();
    const tenant = await createTenant(sql);
    const start = Math.floor(Date.now() / DAY_MS) * DAY_MS - DAY_MS / 2;
    const viewed = (path: string, lcp: number, depths: number[]): StoredEvent[] => {
      const pageId = crypto.randomUUID();
      return [
        pageview(new Date(start).toISOString(), path, { pageId }),
        { type: 'vitals', id: crypto.randomUUID(), at: start, hostname: 'example.com', path, pageId, lcp },
        ...depths.map((scrollDepth, n) => ({
          type: 'engagement' as const,
          id: crypto.randomUUID(),
          at: start + 1 + n,
          pageId,
          seconds: 10,
          scrollDepth,
        })),
      ];
    };
    const messages = [
      consented('ann', viewed('/a', 1000, [30, 75])),
      consented('bob', viewed('/a', 3000, [20])),
      { ...consented('eve', viewed('/b', 2000, [100])), device: 'mobile' as const },
      session('ida', viewed('/b', 9000, [100])),
    ].map((message) => ({ ...message, siteId: tenant.siteId }));
    await foldBatch(sql, messages, Date.now());
    return tenant;
  }

  const A = { path: '/a', measured: 2, seconds: 15, scrollDepth: 47.5 };
  const B = { path: '/b', measured: 1, seconds: 10, scrollDepth: 100 };

  test('pages come by how many views were measured, before the cron and after it', async () => {
    const tenant = await createReadSite();
    const readMeasures = async () => [
      await get(tenant, 'engagement?period=7d'),
      await get(tenant, 'vitals?period=7d'),
    ];
    const [engagement, vitals] = await readMeasures();
    expect(engagement?.body.data).toEqual([
      { ...A, scrolled25: 1, scrolled50: 1, scrolled75: 1, scrolled100: 0 },
      { ...B, scrolled25: 1, scrolled50: 1, scrolled75: 1, scrolled100: 1 },
    ]);
    expect(engagement?.body.meta.scope.tiers).toEqual([3]);
    expect(vitals?.body.data).toEqual([
      { path: '/a', measured: 2, lcp: expect.closeTo(3000, -2), ...NONE, shares: rated(50, 50) },
      { path: '/b', measured: 1, lcp: expect.closeTo(2000, -2), ...NONE, shares: rated(100, 0) },
    ]);
    expect(vitals?.body.meta).toMatchObject({
      approximate: { relativeError: 0.01 },
      scope: { tiers: [3] },
      nextCursor: null,
    });
    await stack().scheduled('ingest', '*/15 * * * *');
    const [row] = await stack().sql`
      select count(*)::int as blocks from rollup_blocks join sites on key = site_key where id = ${tenant.siteId}`;
    expect(row?.blocks).toBeGreaterThan(0);
    expect((await readMeasures()).map(({ body }) => body.data)).toEqual([
      engagement?.body.data,
      vitals?.body.data,
    ]);
  });

  test('they can be paged, filtered by page and tier, shared and exported', async () => {
    const tenant = await createReadSite();
    const { body } = await get(tenant, 'engagement?limit=1');
    expect(body.data).toMatchObject([A]);
    const next = `limit=1&cursor=${body.meta.nextCursor}`;
    expect((await get(tenant, `engagement?${next}`)).body.data).toMatchObject([B]);
    expect((await get(tenant, `vitals?${next}`)).status).toBe(409);
    expect((await get(tenant, 'engagement?filter_page=!/a')).body.data).toMatchObject([B]);
    expect((await get(tenant, 'vitals?filter_page=~A')).body.data).toMatchObject([{ path: '/a' }]);
    expect((await get(tenant, 'vitals?filter_privacy_tier=2')).body.data).toEqual([]);
    expect((await get(tenant, 'vitals?filter_privacy_tier=3')).body.data).toHaveLength(2);
    const { secret } = await addShare(stack().sql, tenant.siteId);
    const shared = await door(stack(), `/api/v1/shares/${secret}/analytics/vitals`, {});
    expect((await shared.json()).data).toHaveLength(2);
    expect((await get(tenant, 'export?report=engagement&filter_page=/b')).text).toBe(
      'path,measured,seconds,scrollDepth,scrolled25,scrolled50,scrolled75,scrolled100\r\n/b,1,10,100,1,1,1,1\r\n',
    );
    expect((await get(tenant, 'export?report=vitals')).text).toMatch(
      /^path,value,measured,lcp,inp,cls,fcp,ttfb,shares\.lcp\.good,.*\r\n\/a,,2,\d+(\.\d)?,,,,,50,50,0,/,
    );
  });

  test('vitals come by page, by dimension and of the whole site, filtered by all that visits know', async () => {
    const tenant = await createReadSite();
    const read = async (query: string) => (await get(tenant, `vitals?period=7d&${query}`)).body;
    const unknown = { value: 'Unknown', measured: 2, lcp: 3000, ...NONE, shares: rated(50, 50) };
    const mobile = { value: 'mobile', measured: 1, lcp: 2000, ...NONE, shares: rated(100, 0) };
    const byDevice = await read('by=device');
    expect(byDevice.data).toEqual([unknown, mobile]);
    expect(byDevice.meta.approximate).toBeUndefined();
    expect(byDevice.meta.coverage.vitalsFrom).toMatch(/^\d{4}-/);
    expect((await read('by=device&sort=lcp&minMeasured=2')).data).toEqual([unknown]);
    expect((await read('by=device&limit=1&sort=lcp')).data).toEqual([unknown]);
    expect((await read('filter_device=mobile')).data).toMatchObject([{ path: '/b', lcp: 2000 }]);
    expect((await read('filter_device=!mobile&filter_page=/b')).data).toEqual([]);
    expect((await read('by=site&filter_country=PT')).data).toEqual([]);
    const whole = await read('by=site');
    expect(whole.data).toMatchObject([
      { value: expect.stringMatching(/\./), measured: 3, lcp: expect.closeTo(3000, -2) },
    ]);
    expect(whole.meta.coverage.vitalsFrom).toBeUndefined();
    // Other tiers measure nothing.
    expect((await read('by=device&filter_privacy_tier=1')).data).toEqual([]);
    const { body } = await get(tenant, 'vitals?by=title');
    expect(body.details.map(({ path }: { path: string }) => path)).toEqual(['by']);
  });

  test('a share lists vitals by what it shows, and no groups of a few after a filter', async () => {
    const tenant = await createReadSite();
    const readShared = async (reports: SharedReport[], query: string) => {
      const { secret } = await addShare(stack().sql, tenant.siteId, { reports });
      const answer = await door(stack(), `/api/v1/shares/${secret}/analytics/vitals?${query}`, {});
      return { status: answer.status, ...(await answer.json()) };
    };
    expect((await readShared(['vitals', 'devices'], 'by=device')).data).toHaveLength(2);
    expect((await readShared(['vitals'], 'by=device')).details).toEqual([
      { path: 'by', message: 'is not taken by this share, because it doesn’t show devices' },
    ]);
    const few = await readShared(['vitals', 'devices'], 'filter_device=Unknown');
    expect([few.status, few.data]).toEqual([200, null]);
  });

  test.each(['engagement?', 'export?report=engagement&'])(
    '%s takes no other filter, and says which it takes',
    async (report) => {
      const { status, body } = await get(await createTenant(stack().sql), `${report}filter_country=PT`);
      expect([status, body.details]).toEqual([
        400,
        [
          {
            path: 'filter_country',
            message:
              'is no filter of this report: attention to consented page views (tier 3) is summed by page, not by device, country or source. It takes `filter_page` and `filter_privacy_tier`',
          },
        ],
      ]);
    },
  );

  test('other unknown parameters are unknown', async () => {
    const { body } = await get(await createTenant(stack().sql), 'engagement?sort=seconds');
    expect(body.details).toEqual([{ path: 'sort', message: 'is not a known field' }]);
  });
});
