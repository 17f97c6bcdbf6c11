import { describe, expect, test } from 'vitest';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import { consented, counts, custom, pageview } from '../../lib/analytics/reports-world.ts';
import { addFunnel, addGoal } from '../../security/definitions.ts';
import { createTenant, type Tenant } from '../../security/tenant.ts';
import { addShare } from '../../security/test-share.ts';
import { useStack } from '../../services/use-stack.ts';
import { type Door, doors, getReport } from './doors.ts';

const stack = useStack();
const minutesAgo = (minutes: number): string => new Date(Date.now() - minutes * 60_000).toISOString();

/** Six people of Porto and one of Faro, at two pages each, and five anonymous page views. */
async function createVisited(): Promise<Tenant> {
  const { sql } = stack();
  const tenant = await createTenant(sql);
  const visit = (who: string, city: string) => ({
    ...consented(who, [pageview(minutesAgo(2), '/a'), pageview(minutesAgo(1), `/${city}`)]),
    country: 'PT',
    city,
  });
  const messages = [
    ...['a', 'b', 'c', 'd', 'e', 'f'].map((who) => visit(who, 'Porto')),
    visit('g', 'Faro'),
    ...Array.from({ length: 5 }, () =>
      counts([pageview(minutesAgo(1), '/b', { utmSource: 'letter', utmMedium: 'email' })]),
    ),
    counts([custom(minutesAgo(1), 'signup')]),
  ];
  await foldBatch(
    sql,
    messages.map((message) => ({ ...message, siteId: tenant.siteId })),
    Date.now(),
  );
  return tenant;
}

describe.each<[string, Door]>(Object.entries(doors))('a batch of reports in %s', (_, door) => {
  const get = (tenant: Tenant, path: string) => getReport(door, stack(), tenant, path);

  test('has each report’s answer, and what all have in common once', async () => {
    const tenant = await createVisited();
    const { status, body } = await get(
      tenant,
      'reports?report=overview,pages:1,utm_source,utm_medium,journeys,live,dropped&period=7d&sort=pageviews',
    );
    expect(status).toBe(200);
    expect(Object.keys(body.data)).toEqual([
      'overview',
      'pages',
      'utm_source',
      'utm_medium',
      'journeys',
      'live',
      'dropped',
    ]);
    expect(body).toMatchObject({
      data: {
        overview: { data: { visits: 12, visitors: 7, pageviews: 19 } },
        pages: { data: [{ path: '/a', pageviews: 7 }], meta: { nextCursor: expect.any(String) } },
        utm_source: { data: [{ value: 'letter' }], meta: { nextCursor: null } },
        utm_medium: { data: [{ value: 'email' }] },
        journeys: { meta: { scope: { siteId: tenant.siteId, tiers: [2, 3], filters: {} } } },
        live: { data: { visitors: 7 } },
        dropped: { data: [] },
      },
      meta: { scope: { siteId: tenant.siteId, filters: {} }, coverage: { observed: true, tiers: [1, 3] } },
    });
    expect(Object.keys(body.meta)).toEqual(['scope', 'range', 'coverage', 'freshness']);
    // What equals the batch's own `meta` isn't said again.
    expect(body.data.overview.meta).toEqual({
      coverage: { ...body.meta.coverage, measured: 7, changesUnknown: 'comparedNotObserved' },
    });
    expect(body.data.dropped).not.toHaveProperty('meta');
    expect(Object.keys(body.data.pages.meta)).toEqual(['nextCursor']);
    expect(Object.keys(body.data.journeys.meta)).toEqual(['scope', 'nextCursor']);
    expect(Object.keys(body.data.live.meta)).toContain('range');
    const stacked = await get(
      tenant,
      'reports?report=timeseries:1,utm_source&by=city&interval=month&period=30d',
    );
    const [point] = stacked.body.data.timeseries.data.slice(-1);
    expect(point.parts).toMatchObject([
      { value: 'Porto', visits: 6, visitors: 6, pageviews: 12 },
      { value: '(other)', visits: 1 },
    ]);
    expect(stacked.body.data.utm_source.data).toMatchObject([{ value: 'letter' }]);
    const next = await get(
      tenant,
      `pages?period=7d&sort=pageviews&limit=1&cursor=${body.data.pages.meta.nextCursor}`,
    );
    expect(next.body.data).toMatchObject([{ path: '/Porto', pageviews: 6 }]);
  });

  test('has instead of an answer what the report refuses, and the others answer', async () => {
    const tenant = await createVisited();
    await addGoal(stack().sql, tenant.siteId, { name: 'Signed up', event: 'signup' });
    const names = 'overview,engagement,dropped,live,retention,timeseries,funnels,event-props,goals';
    const query = `&filter_city=Porto&from=2026-01-01&to=2026-12-31&interval=hour&funnel=${tenant.siteId}`;
    const { status, body } = await get(tenant, `reports?report=${names}${query}`);
    expect(status).toBe(200);
    const refused = (path: string) => ({
      error: 'VALIDATION_ERROR',
      message: 'The request breaks the rules named in `details`.',
      details: [{ path, message: expect.stringMatching(/^(must|is) /) }],
    });
    expect(body.data).toEqual({
      overview: {
        data: expect.objectContaining({ visits: 6 }),
        meta: { coverage: expect.objectContaining({ measured: expect.any(Number) }) },
      },
      goals: { data: [expect.objectContaining({ name: 'Signed up' })], meta: { approximate: [] } },
      engagement: refused('filter_city'),
      dropped: refused('filter_city'),
      live: refused('filter_city'),
      retention: refused('to'),
      timeseries: refused('interval'),
      funnels: { error: 'NOT_FOUND', message: 'No such funnel.' },
      'event-props': refused('event'),
    });
  });

  test('answers though no report does', async () => {
    const tenant = await createVisited();
    const { status, body } = await get(tenant, 'reports?report=engagement&filter_city=Porto');
    expect([status, body.data.engagement.error]).toEqual([200, 'VALIDATION_ERROR']);
    expect(body.meta).toMatchObject({
      scope: { filters: { city: { operator: 'is', values: ['Porto'] } } },
      coverage: { observed: true },
    });
  });

  test('shows parameters of some reports to them alone', async () => {
    const tenant = await createVisited();
    const steps = [{ page: '/a' }, { page: '/Porto' }];
    const funnelId = await addFunnel(stack().sql, tenant.siteId, { name: 'Way', steps });
    const { body } = await get(
      tenant,
      `reports?report=timeseries,journeys,funnels,event-props&period=7d&interval=week&start=/Porto&funnel=${funnelId}&event=signup`,
    );
    expect(body.data.timeseries.data.length).toBeLessThanOrEqual(2);
    expect(body.data.journeys.data).toEqual([{ pages: ['/Porto'], visitors: 6, visits: 6, journeys: 6 }]);
    expect(body.data.funnels.data.steps).toMatchObject([{ visits: 7 }, { visits: 6 }]);
    expect(body.data['event-props']).toEqual({ data: [], meta: { nextCursor: null } });
  });

  test('counts as one request', async () => {
    const tenant = await createVisited();
    const { siteId, token } = tenant;
    const response = await door(
      stack(),
      `/api/v1/sites/${siteId}/analytics/reports?report=overview,pages,sources`,
      {
        headers: { Authorization: `Bearer ${token}` },
      },
    );
    await response.arrayBuffer();
    expect(response.headers.get('RateLimit')).toMatch(/^"analytics";r=99;/);
  });

  test.each([
    ['', 'report'],
    ['report=', 'report.0'],
    ['report=overview,', 'report.1'],
    ['report=nothing', 'report.0'],
    ['report=utm', 'report.0'],
    ['report=constructor', 'report.0'],
    ['report=pages:0', 'report.0'],
    ['report=pages:101', 'report.0'],
    ['report=pages:1e1', 'report.0'],
    ['report=pages:', 'report.0'],
    ['report=pages:1:2', 'report.0'],
    ['report=pages:1:', 'report.0'],
    ['report=pages:1:visits:2', 'report.0'],
    ['report=sources:1:reach', 'report.0'],
    ['report=events:1:visits', 'report.0'],
    ['report=overview:1', 'report.0'],
    ['report=pages,pages:3', 'report'],
    [`report=${Array.from({ length: 17 }, () => 'pages').join()}`, 'report'],
    ['report=overview&report=pages', 'report'],
    ['report=overview&interval=day', 'interval'],
    ['report=utm_source&by=term', 'by'],
    ['report=pages&limit=5', 'limit'],
    ['report=pages&cursor=x', 'cursor'],
    ['report=pages&unknown=1', 'unknown'],
    ['report=pages&__proto__=1', '__proto__'],
    ['report=pages&constructor=1', 'constructor'],
    ['report=pages&siteId=00000000-0000-4000-8000-000000000000', 'siteId'],
    ['report=pages&filter_nothing=1', 'filter_nothing'],
    ['report=pages&filter_city=', 'filter_city'],
    ['report=pages&filter_privacy_tier=4', 'filter_privacy_tier'],
    ['report=pages&period=1h', 'period'],
    ['report=live&period=1h', 'period'],
    ['report=pages&from=2026-01-01', 'to'],
    ['report=pages&from=2024-01-01&to=2026-12-31', 'to'],
  ])('%s is refused, and %s named', async (query, path) => {
    const tenant = await createTenant(stack().sql);
    const { status, body } = await get(tenant, `reports?${query}`);
    expect([status, body.error, body.details]).toEqual([
      400,
      'VALIDATION_ERROR',
      [{ path, message: expect.stringMatching(/^(must|is) /) }],
    ]);
  });

  describe('of a share', () => {
    async function open(siteId: string, options: Parameters<typeof addShare>[2] = {}) {
      const { secret } = await addShare(stack().sql, siteId, options);
      return async (query: string) => {
        const response = await door(stack(), `/api/v1/shares/${secret}/analytics/reports?${query}`, {});
        return { response, status: response.status, body: JSON.parse(await response.text()) };
      };
    }

    test('shows its reports, and nothing of others', async () => {
      const tenant = await createVisited();
      const ask = await open(tenant.siteId, { reports: ['overview', 'pages', 'utm', 'goals'] });
      const names = 'overview,pages,utm_source,goals,sources,event-props,live';
      const { status, body, response } = await ask(`report=${names}&period=7d&event=signup`);
      const own = await get(tenant, 'reports?report=overview,pages,utm_source,goals&period=7d');
      expect(status).toBe(200);
      expect(response.headers.get('RateLimit')).toMatch(/^"shares";r=99;/);
      const none = { error: 'NOT_FOUND', message: 'No such report.' };
      const data = (of: Record<string, { data: unknown }>) =>
        Object.fromEntries(Object.entries(of).map(([name, entry]) => [name, entry.data ?? entry]));
      expect(data(body.data)).toEqual({
        ...data(own.body.data),
        sources: none,
        'event-props': none,
        live: none,
      });
    });

    test('withholds small groups as each report does', async () => {
      const { siteId } = await createVisited();
      const ask = await open(siteId);
      const large = await ask('report=overview,pages,cities,journeys&period=7d&filter_page=/a');
      expect(large.body.data).toMatchObject({
        overview: { data: { visits: 7 }, meta: { withheldBelow: 5 } },
        pages: { data: [{ path: '/a' }, { path: '/Porto' }] },
        cities: { data: [{ value: 'Porto' }] },
        journeys: { data: [{ pages: ['/a', '/Porto'] }], meta: { withheldBelow: 5 } },
      });
      expect(JSON.stringify(large.body)).not.toContain('Faro');
      const small = await ask('report=overview,pages,cities,vitals&period=7d&filter_city=Faro');
      const withheld = { data: null, meta: { suppressed: true, withheldBelow: 5 } };
      expect(small.body.data).toMatchObject({
        overview: withheld,
        pages: withheld,
        cities: withheld,
        vitals: withheld,
      });
      expect(small.body.meta).not.toHaveProperty('suppressed');
      // The ends of journeys narrow this report alone.
      const ends = await ask('report=overview,journeys&period=7d&start=/Faro');
      expect(ends.body.data).toMatchObject({ overview: { data: { visits: 12 } }, journeys: withheld });
    });

    test('refuses filters of dimensions that it doesn’t list', async () => {
      const { siteId } = await createVisited();
      const ask = await open(siteId, { reports: ['overview', 'cities'] });
      expect(await ask('report=overview&filter_page=/a')).toMatchObject({
        status: 400,
        body: { error: 'VALIDATION_ERROR', details: [{ path: 'filter_page' }] },
      });
      expect(await ask('report=overview&filter_city=Porto')).toMatchObject({ status: 200 });
    });

    test('is locked, and gone, as it is', async () => {
      const { siteId } = await createVisited();
      const locked = await open(siteId, { locked: true });
      expect(await locked('report=overview')).toMatchObject({ status: 401, body: { error: 'UNAUTHORIZED' } });
      const past = await open(siteId, { expiresAt: new Date(Date.now() - 1000).toISOString() });
      expect(await past('report=overview')).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
      const ask = await open(siteId);
      expect(await ask('report=nothing')).toMatchObject({ status: 400 });
      expect(await ask('')).toMatchObject({ status: 400 });
    });
  });
});
