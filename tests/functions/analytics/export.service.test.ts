import { describe, expect, test } from 'vitest';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import { EXPORTED } from '../../../lib/export/export-report.ts';
import { PART_ITEMS } from '../../../lib/export/write-items.ts';
import { SHARED_REPORTS } from '../../../lib/shares/schemas.ts';
import { consented, counts, custom, dropped, pageview, refused } from '../../lib/analytics/reports-world.ts';
import { addFunnel, addGoal } from '../../security/definitions.ts';
import { createTenant, type Tenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { type Door, doors } from './doors.ts';

const stack = useStack();

async function createVisited(...paths: string[]): Promise<Tenant> {
  const { sql } = stack();
  const tenant = await createTenant(sql);
  const at = new Date().toISOString();
  const bob = consented('bob', [pageview(at, '/bob', { source: 'Duck, "Duck" & Go' })], PHONE);
  await foldBatch(sql, [{ ...bob, siteId: tenant.siteId }], Date.now());
  await view(tenant, at, paths);
  return tenant;
}

const PHONE = { device: 'mobile', browser: 'Safari' } as const;

async function view({ siteId }: Tenant, at: string, paths: readonly string[]): Promise<void> {
  const views = paths.map((path) => counts([pageview(at, path, { source: 'Google' })], PHONE));
  await foldBatch(
    stack().sql,
    views.map((message) => ({ ...message, siteId })),
    Date.now(),
  );
}

/** A visit with a custom event, and a refused request. */
async function createBusy(): Promise<Tenant & { funnelId: string }> {
  const { sql } = stack();
  const tenant = await createVisited('/a');
  const at = new Date(Date.now() - 60_000).toISOString();
  const revenue = { amount: '9.90', currency: 'EUR' };
  const bought = { ...custom(at, 'buy'), props: { size: 'a,b' }, revenue };
  const own = [
    consented('eve', [pageview(at, '/a', { props: { author: 'Ana, B' } }), bought]),
    refused([dropped(at, 'spam')]),
  ].map((message) => ({ ...message, siteId: tenant.siteId }));
  await foldBatch(sql, own, Date.now());
  await addGoal(sql, tenant.siteId, { name: 'Bought', event: 'buy' });
  const steps = [{ page: '/a' }, { event: 'buy' }];
  return { ...tenant, funnelId: await addFunnel(sql, tenant.siteId, { name: 'Way', steps }) };
}

test('whatever a share may show of a range is exported too', () => {
  expect(SHARED_REPORTS.filter((name) => name !== 'live' && !EXPORTED.includes(name))).toEqual([]);
});

describe.each<[string, Door]>(Object.entries(doors))('exports in %s', (_, door) => {
  const send = ({ siteId, token }: Tenant, path: string) =>
    door(stack(), `/api/v1/sites/${siteId}/analytics/${path}`, {
      headers: { Authorization: `Bearer ${token}` },
    });
  const textOf = async (tenant: Tenant, query: string) => (await send(tenant, `export?${query}`)).text();

  test('a list as CSV has a header, all rows, and no formulas', async () => {
    const tenant = await createVisited('/a', '/=1', '/"x",y');
    const response = await send(tenant, 'export?report=pages&period=7d&sort=pageviews');
    expect(response.status).toBe(200);
    expect(response.headers.get('Content-Type')).toBe('text/csv; charset=utf-8; header=present');
    expect(response.headers.get('Content-Disposition')).toMatch(
      /^attachment; filename="pages-\d{4}-\d\d-\d\d-\d{4}-\d\d-\d\d\.csv"$/,
    );
    expect(response.headers.get('RateLimit-Policy')).toBe('"analytics";q=100;w=60');
    expect(await response.text()).toBe(
      [
        'path,visitors,visits,pageviews,reach',
        '"/""x"",y",0,1,1,1',
        '/=1,0,1,1,1',
        '/a,0,1,1,1',
        '/bob,1,1,1,1',
        '',
      ].join('\r\n'),
    );
    expect(await textOf(tenant, 'report=sources')).toBe(
      'value,visitors,visits,pageviews\r\nGoogle,0,3,3\r\n"Duck, ""Duck"" & Go",1,1,1\r\n',
    );
  });

  test('a stacked series as CSV has a column for each figure of each part', async () => {
    const tenant = await createVisited('/a', '/b');
    const rows = (await textOf(tenant, 'report=timeseries&period=7d&interval=month&by=source')).split('\r\n');
    const [google, duck] = ['parts.Google', '"parts.Duck, ""Duck"" & Go'];
    expect(rows[0]).toBe(
      [
        'time,visitors,visits,pageviews,bounceRate,avgDuration,partial',
        ...['pageviews', 'visitors', 'visits'].map((name) => `${duck}.${name}"`),
        ...['pageviews', 'visitors', 'visits'].map((name) => `${google}.${name}`),
      ].join(','),
    );
    expect(rows.at(-2)).toMatch(/Z,1,3,3,100,0,true,1,1,1,2,0,2$/);
  });

  test.each(['overview', 'timeseries', 'pages', 'entry-pages', 'exit-pages', 'sources', 'operating-systems'])(
    '%s as JSON has the items of the report',
    async (report) => {
      const tenant = await createVisited('/a', '/b');
      const response = await send(tenant, `export?report=${report}&period=7d&format=json`);
      expect(response.headers.get('Content-Type')).toBe('application/json');
      expect(response.headers.get('Content-Disposition')).toMatch(/\.json"$/);
      const { data } = (await (await send(tenant, `${report}?period=7d`)).json()) as { data: unknown };
      expect(await response.json()).toEqual(Array.isArray(data) ? data : [data]);
    },
  );

  test.each([
    ['dropped', 'dropped', 'dropped'],
    ['events', 'events', 'events'],
    ['event-props&event=buy', 'event-props', 'events/buy/props'],
    ['event-props&event=buy&key=size', 'event-props', 'events/buy/props?key=size'],
    ['page-props', 'page-props', 'page-props'],
    ['page-props&key=author', 'page-props', 'page-props?key=author'],
    ['journeys&start=/a', 'journeys', 'journeys?start=/a'],
    ['retention', 'retention', 'retention'],
    ['goals', 'goals', 'goals/report'],
  ])('%s has the items of the report', async (asked, name, path) => {
    const tenant = await createBusy();
    const response = await send(tenant, `export?report=${asked}&period=7d&format=json`);
    expect(response.headers.get('Content-Disposition')).toContain(`filename="${name}-`);
    const { data } = (await (
      await send(tenant, `${path}${path.includes('?') ? '&' : '?'}period=7d`)
    ).json()) as {
      data: unknown[];
    };
    expect(data.length).toBeGreaterThan(0);
    expect(await response.json()).toEqual(data);
  });

  test('a funnel’s steps are rows, and each entry of a list within a row has a column', async () => {
    const tenant = await createBusy();
    expect(await textOf(tenant, `report=funnels&funnel=${tenant.funnelId}`)).toBe(
      'event,page,visits,share,dropOff\r\n,/a,1,100,0\r\nbuy,,1,100,0\r\n',
    );
    expect(await textOf(tenant, 'report=events')).toBe(
      'name,visitors,visits,events,revenue.EUR\r\nbuy,1,1,1,9.90\r\n',
    );
    expect(await textOf(tenant, 'report=journeys&start=/a')).toBe(
      'pages.1,visitors,visits,journeys\r\n/a,1,1,1\r\n',
    );
  });

  test('a funnel of nobody’s is not found', async () => {
    const tenant = await createTenant(stack().sql);
    const response = await send(tenant, `export?report=funnels&funnel=${tenant.siteId}`);
    expect([response.status, await response.json()]).toMatchObject([404, { error: 'NOT_FOUND' }]);
  });

  test('an overview as CSV is one record, laid out flat', async () => {
    const tenant = await createVisited('/a');
    const [header = '', record = '', ...rest] = (await textOf(tenant, 'report=overview')).split('\r\n');
    expect(rest).toEqual(['']);
    const cells = Object.fromEntries(header.split(',').map((name, at) => [name, record.split(',')[at]]));
    expect(cells).toMatchObject({
      visits: '2',
      'tiers.visits.anonymousCounts': '1',
      'tiers.visits.consented': '1',
    });
  });

  test('parameters are the report’s', async () => {
    const tenant = await createVisited('/a', '/b');
    const hours = await textOf(tenant, 'report=timeseries&from=2026-03-01&to=2026-03-02&interval=hour');
    expect(hours.split('\r\n')).toHaveLength(1 + 48 + 1);
    expect(await textOf(tenant, 'report=pages&filter_page=/b&format=json')).toBe(
      '[{"path":"/b","visitors":0,"visits":1,"pageviews":1,"reach":1}]\n',
    );
    expect(await textOf(tenant, 'report=utm&by=campaign')).toBe('value,visitors,visits,pageviews\r\n');
    expect(await textOf(tenant, 'report=cities&format=json')).toBe('[]\n');
  });

  test('the file is named after the site’s days', async () => {
    const tenant = await createVisited();
    await stack().sql`update sites set timezone = 'Pacific/Kiritimati' where id = ${tenant.siteId}`;
    const response = await send(tenant, 'export?report=pages&from=2026-03-01&to=2026-03-31&format=json');
    await response.text();
    expect(response.headers.get('Content-Disposition')).toBe(
      'attachment; filename="pages-2026-03-01-2026-03-31.json"',
    );
  });

  test.each([
    ['', 'report'],
    ['report=live', 'report'],
    ['report=annotations', 'report'],
    ['report=pages&format=xlsx', 'format'],
    ['report=pages&unknown=1', 'unknown'],
    ['report=pages&__proto__=1', '__proto__'],
    ['report=pages&limit=10', 'limit'],
    ['report=pages&cursor=x', 'cursor'],
    ['report=pages&interval=day', 'interval'],
    ['report=sources&sort=reach', 'sort'],
    ['report=pages&by=term', 'by'],
    ['report=utm', 'by'],
    ['report=funnels', 'funnel'],
    ['report=funnels&funnel=1', 'funnel'],
    ['report=goals&funnel=00000000-0000-4000-8000-000000000000', 'funnel'],
    ['report=event-props', 'event'],
    ['report=events&event=buy', 'event'],
    ['report=events&key=size', 'key'],
    ['report=pages&start=/', 'start'],
    ['report=dropped&filter_page=/', 'filter_page'],
    ['report=dropped&filter_privacy_tier=1', 'filter_privacy_tier'],
    ['report=dropped&filter_prop_plan=pro', 'filter_prop_plan'],
    ['report=engagement&filter_prop_plan=pro', 'filter_prop_plan'],
    ['report=pages&filter_prop_=pro', 'filter_prop_'],
    ['report=retention&from=2026-01-01&to=2026-06-30', 'to'],
    ['report=pages&from=2026-03-01', 'to'],
    ['report=timeseries&period=90d&interval=hour', 'interval'],
  ])('%s is refused, and %s named', async (query, path) => {
    const tenant = await createTenant(stack().sql);
    const response = await send(tenant, `export?${query}`);
    expect([response.status, await response.json()]).toMatchObject([400, { details: [{ path }] }]);
  });

  test('a list of more parts than one is there to the last row', async () => {
    const paths = Array.from({ length: PART_ITEMS + 3 }, (_, index) => `/${index}`);
    // A day takes fewer new paths (docs/limits.md#new-values).
    const tenant = await createVisited(...paths.slice(0, 100));
    await view(tenant, new Date(Date.now() - 24 * 60 * 60 * 1000).toISOString(), paths.slice(100));
    const text = await textOf(tenant, 'report=pages&period=7d');
    const exported = text
      .split('\r\n')
      .slice(1, -1)
      .map((line) => line.slice(0, line.indexOf(',')));
    expect(exported).toHaveLength(paths.length + 1);
    expect(new Set(exported)).toEqual(new Set(['/bob', ...paths]));
  });
});
