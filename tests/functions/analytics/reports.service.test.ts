import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { routes } from '../../../functions/analytics/contract.ts';
import { examples } from '../../../functions/analytics/examples.ts';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import type { StoredEvent } from '../../../lib/collection/track-message.ts';
import { consented, counts, custom, pageview } from '../../lib/analytics/reports-world.ts';
import { createTenant, type Tenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { type Door, doors, getReport } from './doors.ts';

const stack = useStack();
const reports = Object.entries(routes).filter(([, { tag }]) => tag === 'Analytics');
const nameOf = (path: string) => path.slice(path.indexOf('/analytics/') + '/analytics/'.length);

describe.each<[string, Door]>(Object.entries(doors))('reports in %s', (_, door) => {
  const get = (tenant: Tenant, report: string) => getReport(door, stack(), tenant, report);

  async function createVisitedSite(): Promise<Tenant> {
    const { sql } = stack();
    const tenant = await createTenant(sql);
    const at = new Date().toISOString();
    const of = { device: 'mobile', browser: 'Safari' } as const;
    const messages = [
      consented('bob', [pageview(at, '/a', { source: 'Google' })], of),
      counts([pageview(at, '/b')], of),
      counts([pageview(at, '/b', { entry: false })], of),
    ].map((message) => ({ ...message, siteId: tenant.siteId }));
    await foldBatch(sql, messages, Date.now());
    return tenant;
  }

  test('every report keeps to its contract, and shows what was stored', async () => {
    const tenant = await createVisitedSite();
    const answers: Record<string, unknown> = {};
    for (const [operationId, { path, responses }] of reports) {
      const example = examples[operationId]?.find(({ status }) => status === 200);
      const name = nameOf(path).replace(/:(\w+)/, (_, parameter) => example?.params?.[parameter] ?? '');
      const { status, body } = await get(tenant, `${name}?${new URLSearchParams(example?.query)}`);
      expect([path, status]).toEqual([path, 200]);
      expect(v.parse(responses[200]?.schema as v.GenericSchema, body)).toEqual(body);
      answers[nameOf(path)] = body.data;
    }
    const a = { path: '/a', visitors: 1, visits: 1, pageviews: 1, reach: 1 };
    const b = { path: '/b', visitors: 0, visits: 1, pageviews: 2, reach: 2 };
    expect(answers).toMatchObject({
      overview: { visitors: 1, visits: 2, pageviews: 3 },
      pages: [b, a],
      sources: [
        { value: 'Google', visitors: 1, visits: 1, pageviews: 1 },
        { value: 'Direct', visitors: 0, visits: 1, pageviews: 1 },
      ],
      devices: [{ value: 'mobile', visitors: 1, visits: 2, pageviews: 3 }],
      browsers: [{ value: 'Safari', visitors: 1, visits: 2, pageviews: 3 }],
      live: { visitors: 1, anonymousPageviews: 2, count: 1, pages: [{ path: '/a', visitors: 1 }] },
    });
    expect(answers.timeseries).toHaveLength(30);
  });

  test('parameters do what they say', async () => {
    const tenant = await createVisitedSite();
    const dataOf = async (report: string) => (await get(tenant, report)).body.data;
    expect(await dataOf('overview?filter_privacy_tier=1')).toMatchObject({ visitors: 0, visits: 1 });
    expect(await dataOf('pages?sort=pageviews&limit=1&filter_privacy_tier=3')).toMatchObject([
      { path: '/a' },
    ]);
    expect(await dataOf('live?filter_privacy_tier=1')).toMatchObject({ visitors: 0, anonymousPageviews: 2 });
    expect(await dataOf('sources?period=24h&limit=1')).toHaveLength(1);
    expect(await dataOf('timeseries?period=24h')).toHaveLength(24);
    expect(await dataOf('timeseries?from=2026-01-01&to=2026-01-31&interval=hour')).toHaveLength(31 * 24);
    expect(await dataOf('timeseries?from=2024-01-01&to=2026-01-31&interval=month')).toHaveLength(25);
  });

  test('a filter chooses visits, and a report counts all that they did', async () => {
    const { sql } = stack();
    const tenant = await createTenant(sql);
    const [at = '', next = '', last = ''] = [3, 2, 1].map((n) => new Date(Date.now() - n).toISOString());
    const signup = (plan: string) => ({ ...custom(last), props: { plan, seats: 3 } }) as StoredEvent;
    const messages = [
      consented('bob', [
        pageview(at, '/pricing', { source: 'Google' }),
        pageview(next, '/docs'),
        signup('pro'),
      ]),
      consented('ann', [pageview(at, '/docs'), signup('free')]),
      counts([pageview(at, '/pricing', { source: 'a|b' })]),
      counts([pageview(at, '/docs', { entry: false })]),
    ].map((message) => ({ ...message, siteId: tenant.siteId }));
    await foldBatch(sql, messages, Date.now());
    const rowsOf = async (report: string) =>
      (await get(tenant, report)).body.data.map(
        (row: { path?: string; value?: string; name?: string }) => Object.values(row)[0],
      );
    const totals = async (filter: string) => {
      const { visits, pageviews } = (await get(tenant, `overview?${filter}`)).body.data;
      return [visits, pageviews];
    };
    expect(await rowsOf('pages?filter_page=/pricing')).toEqual(['/pricing', '/docs']);
    expect(await totals('')).toEqual([3, 5]);
    expect(await totals('filter_page=/pricing')).toEqual([2, 3]);
    expect(await totals('filter_page=!/pricing')).toEqual([1, 2]);
    // Tier 1 has no last page, and its inner page view neither began a visit nor came from anywhere.
    expect(await rowsOf('exit-pages?filter_exit_page=/docs')).toEqual(['/docs']);
    expect(await totals('filter_exit_page=/docs')).toEqual([2, 3]);
    expect(await totals('filter_exit_page=!/docs')).toEqual([1, 2]);
    expect(await totals('filter_entry_page=/docs')).toEqual([1, 1]);
    expect(await totals('filter_source=Direct')).toEqual([1, 1]);
    expect(await totals('filter_source=!Direct')).toEqual([2, 4]);
    expect(await rowsOf('sources?filter_source=a%5C|b')).toEqual(['a|b']);

    expect(await totals('filter_prop_plan=pro')).toEqual([1, 2]);
    expect(await totals('filter_prop_plan=!pro')).toEqual([2, 3]);
    expect(await totals('filter_prop_plan=~R&filter_prop_seats=3|4')).toEqual([2, 3]);
    expect(await rowsOf('pages?filter_prop_plan=free')).toEqual(['/docs']);
    expect((await get(tenant, 'events?filter_prop_plan=free')).body).toMatchObject({
      data: [{ name: 'signup', events: 1 }],
      meta: { scope: { filters: { prop_plan: { operator: 'is', values: ['free'] } } } },
    });
  });

  test.each([
    ['overview?filter_prop_=x', 'filter_prop_'],
    ['live?filter_prop_plan=x', 'filter_prop_plan'],
    ['engagement?filter_prop_plan=x', 'filter_prop_plan'],
    ['vitals?filter_prop_=x', 'filter_prop_'],
    ['vitals?by=page_title', 'by'],
    ['overview?period=1h', 'period'],
    ['overview?period=', 'period'],
    ['overview?from=2026-01-01', 'to'],
    ['overview?to=2026-01-01', 'from'],
    ['overview?from=2026-01-02&to=2026-01-01', 'to'],
    ['overview?from=2026-01-01&to=2026-01-02&period=7d', 'period'],
    ['overview?from=2024-01-01&to=2026-02-01', 'to'],
    ['overview?from=2026-02-29&to=2026-03-01', 'from'],
    ['overview?from=0000-01-01&to=2026-01-01', 'from'],
    ['overview?from=2026-01-01T00:00&to=2026-01-02', 'from'],
    ['overview?filter_privacy_tier=0', 'filter_privacy_tier'],
    ['overview?filter_privacy_tier=4', 'filter_privacy_tier'],
    ['overview?filter_privacy_tier=1.0', 'filter_privacy_tier'],
    ['overview?limit=10', 'limit'],
    ['overview?interval=day', 'interval'],
    ['timeseries?interval=minute', 'interval'],
    ['timeseries?period=90d&interval=hour', 'interval'],
    ['timeseries?from=2026-01-01&to=2026-02-01&interval=hour', 'interval'],
    ['pages?limit=0', 'limit'],
    ['pages?limit=101', 'limit'],
    ['pages?limit=1e1', 'limit'],
    ['pages?limit=-1', 'limit'],
    ['pages?limit=%2010', 'limit'],
    ['pages?sort=bounces', 'sort'],
    ['sources?sort=reach', 'sort'],
    ['entry-pages?sort=path', 'sort'],
    ['events?sort=visits', 'sort'],
    ['browsers?period=7d&period=7d', 'period'],
    ['live?period=24h', 'period'],
    ['live?filter_privacy_tier=0', 'filter_privacy_tier'],
  ])('%s is refused, and %s named', async (report, path) => {
    const tenant = await createTenant(stack().sql);
    const { status, body } = await get(tenant, report);
    expect([status, body.error, body.details]).toEqual([
      400,
      'VALIDATION_ERROR',
      [{ path, message: expect.stringMatching(/^(must|is) /) }],
    ]);
  });

  test('there is no other report', async () => {
    const tenant = await createTenant(stack().sql);
    for (const report of ['', 'nothing', 'overview/', 'overview/more']) {
      expect(await get(tenant, report)).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
    }
  });
});
