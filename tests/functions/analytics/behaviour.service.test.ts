import { describe, expect, test } from 'vitest';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import type { StoredEvent } from '../../../lib/collection/track-message.ts';
import { consented, counts, custom, pageview, session } from '../../lib/analytics/reports-world.ts';
import { createTenant, type Tenant } from '../../security/tenant.ts';
import { addShare } from '../../security/test-share.ts';
import { useStack } from '../../services/use-stack.ts';
import { type Door, doors, getReport } from './doors.ts';

const stack = useStack();
const NAME = 'Bought 50% / “más”?#é';
const DAY_MS = 86_400_000;

describe.each<[string, Door]>(Object.entries(doors))('what visitors did, in %s', (_, door) => {
  const get = (tenant: Tenant, report: string) => getReport(door, stack(), tenant, report);

  /** Three weeks: Bob comes in the first and the last week, Ann only in the last one. */
  async function createVisitedSite(): Promise<Tenant> {
    const { sql } = stack();
    const tenant = await createTenant(sql);
    const now = Math.floor(Date.now() / DAY_MS) * DAY_MS;
    const at = (daysAgo: number, minute = 0) =>
      new Date(now - daysAgo * DAY_MS + minute * 60_000).toISOString();
    const bought = (time: string, amount: string, plan: string | number): StoredEvent => ({
      type: 'event',
      id: crypto.randomUUID(),
      at: Date.parse(time),
      hostname: 'example.com',
      path: '/',
      name: NAME,
      props: { plan, first: true },
      revenue: { amount, currency: 'EUR' },
    });
    const messages = [
      consented('bob', [pageview(at(15), '/'), pageview(at(15, 1), '/'), pageview(at(15, 2), '/b')]),
      consented('bob', [pageview(at(1), '/'), bought(at(1, 1), '0.10', 3)]),
      consented('ann', [
        pageview(at(1), '/b'),
        bought(at(1, 1), '0.2', '3'),
        bought(at(1, 2), '1000000000000', 'x'),
      ]),
      { ...consented('eve', [pageview(at(1), '/b')]), continued: true },
      session('ida', [pageview(at(1), '/'), pageview(at(1, 1), '/b')]),
      counts([pageview(at(1), '/'), custom(at(1), 'signup')]),
    ].map((message) => ({ ...message, siteId: tenant.siteId }));
    await foldBatch(sql, messages, Date.now());
    return tenant;
  }

  test('events come with their exact revenue, whatever their names', async () => {
    const tenant = await createVisitedSite();
    const { body } = await get(tenant, 'events');
    const revenue = [{ currency: 'EUR', amount: '1000000000000.30' }];
    expect(body.data).toEqual([
      { name: NAME, visitors: 2, visits: 2, events: 3, revenue },
      { name: 'signup', visitors: 0, visits: 0, events: 1, revenue: [] },
    ]);
    expect(body.meta.scope.tiers).toBeUndefined();

    const props = `events/${encodeURIComponent(NAME)}/props`;
    expect((await get(tenant, props)).body.data).toEqual([
      { key: 'first', value: null, visitors: 2, visits: 2, events: 3 },
      { key: 'plan', value: null, visitors: 2, visits: 2, events: 3 },
    ]);
    expect((await get(tenant, `${props}?key=plan`)).body.data).toEqual([
      { key: 'plan', value: '3', visitors: 2, visits: 2, events: 2 },
      { key: 'plan', value: 'x', visitors: 1, visits: 1, events: 1 },
    ]);
    expect((await get(tenant, 'events/signup/props')).body.data).toEqual([]);
    expect((await get(tenant, 'events/nothing/props')).body.data).toEqual([]);
  });

  test('properties of page views are listed, and choose visits', async () => {
    const tenant = await createTenant(stack().sql);
    const at = (minute: number) => new Date(Date.now() - DAY_MS + minute * 60_000).toISOString();
    const by = (author: string, minute: number, path = '/') =>
      pageview(at(minute), path, { props: { author, paid: false } });
    const messages = [
      consented('bob', [by('Ana', 0), by('Ana', 1, '/a'), by('Bea', 2, '/b'), custom(at(3), 'signup')]),
      session('ida', [by('Ana', 0), pageview(at(1), '/c')]),
      counts([by('Bea', 0)]),
      counts([pageview(at(0), '/c')]),
    ].map((message) => ({ ...message, siteId: tenant.siteId }));
    await foldBatch(stack().sql, messages, Date.now());
    expect((await get(tenant, 'page-props')).body.data).toEqual([
      { key: 'author', value: null, visitors: 2, visits: 3, pageviews: 5 },
      { key: 'paid', value: null, visitors: 2, visits: 3, pageviews: 5 },
    ]);
    const authors = [
      { key: 'author', value: 'Ana', visitors: 2, visits: 2, pageviews: 3 },
      { key: 'author', value: 'Bea', visitors: 1, visits: 2, pageviews: 2 },
    ];
    expect((await get(tenant, 'page-props?key=author')).body.data).toEqual(authors);
    expect((await get(tenant, 'page-props?key=nothing')).body.data).toEqual([]);
    const first = await get(tenant, 'page-props?key=author&limit=1');
    const second = await get(tenant, `page-props?key=author&limit=1&cursor=${first.body.meta.nextCursor}`);
    expect([...first.body.data, ...second.body.data]).toEqual(authors);

    const paths = async (filter: string) =>
      (await get(tenant, `pages?sort=pageviews&${filter}`)).body.data.map(
        (page: { path: string; pageviews: number }) => `${page.path} ${page.pageviews}`,
      );
    expect(await paths('filter_prop_author=Bea')).toEqual(['/ 2', '/a 1', '/b 1']);
    expect(await paths('filter_prop_author=!Bea')).toEqual(['/c 2', '/ 1']);
    expect((await get(tenant, 'events?filter_prop_author=Bea')).body.data).toMatchObject([{ events: 1 }]);
    expect((await get(tenant, 'page-props?key=author&filter_prop_author=Bea')).body.data).toEqual([
      { key: 'author', value: 'Ana', visitors: 1, visits: 1, pageviews: 2 },
      { key: 'author', value: 'Bea', visitors: 1, visits: 2, pageviews: 2 },
    ]);
  });

  test('journeys are listed between their ends, those after consent too', async () => {
    const tenant = await createVisitedSite();
    const journeysOf = async (query: string) => (await get(tenant, `journeys?${query}`)).body;
    const { data, meta } = await journeysOf('period=30d');
    expect(data).toEqual([
      { pages: ['/', '/b'], visitors: 2, visits: 2, journeys: 2 },
      { pages: ['/b'], visitors: 2, visits: 1, journeys: 2 },
      { pages: ['/'], visitors: 1, visits: 1, journeys: 1 },
    ]);
    expect(meta.scope.tiers).toEqual([2, 3]);
    expect((await journeysOf('start=/b')).data).toEqual([
      { pages: ['/b'], visitors: 4, visits: 3, journeys: 4 },
    ]);
    expect((await journeysOf('start=/b&end=/')).data).toEqual([]);
    expect((await journeysOf('filter_privacy_tier=1')).data).toEqual([]);
  });

  test('retention tells who came back', async () => {
    const tenant = await createVisitedSite();
    const { data, meta } = (await get(tenant, 'retention?period=90d&limit=100')).body;
    expect(meta.scope.tiers).toEqual([3]);
    expect(data.reduce((sum: number, { visitors }: { visitors: number }) => sum + visitors, 0)).toBe(3);
    expect(data.at(-1).returned).toEqual([]);
    const first = data.find(({ visitors }: { visitors: number }) => visitors > 0);
    expect(first.visitors).toBe(1);
    expect(first.returned[1]).toBe(1);
    expect(first.returned.reduce((sum: number, n: number) => sum + n, 0)).toBe(1);
  });

  test('a cursor goes on where a list stopped, and fits no other list', async () => {
    const tenant = await createVisitedSite();
    const { data, meta } = (await get(tenant, 'events?limit=1')).body;
    expect(data).toHaveLength(1);
    const next = await get(tenant, `events?limit=1&cursor=${meta.nextCursor}`);
    expect(next.body).toMatchObject({ data: [{ name: 'signup' }], meta: { nextCursor: null } });
    for (const report of ['journeys', 'retention', 'events/signup/props'])
      expect((await get(tenant, `${report}?limit=1&cursor=${meta.nextCursor}`)).status).toBe(409);
    const props = await get(tenant, `events/${encodeURIComponent(NAME)}/props?limit=1`);
    const other = await get(tenant, `events/signup/props?limit=1&cursor=${props.body.meta.nextCursor}`);
    expect(other.status).toBe(409);
  });

  test.each([
    ['events?key=plan', 'key'],
    ['events?limit=0', 'limit'],
    ['events/signup/props?key=', 'key'],
    ['page-props?key=', 'key'],
    ['page-props?name=signup', 'name'],
    [`events/signup/props?key=${'x'.repeat(65)}`, 'key'],
    [`events/${'x'.repeat(65)}/props`, 'name'],
    ['events/a%00b/props', 'name'],
    ['journeys?start=', 'start'],
    [`journeys?end=${'x'.repeat(1025)}`, 'end'],
    ['journeys?start=%00', 'start'],
    ['retention?from=2026-01-01&to=2026-04-02', 'to'],
    ['retention?from=2026-01-02&to=2026-01-01', 'to'],
    ['retention?interval=week', 'interval'],
  ])('%s is refused, and %s named', async (report, path) => {
    const { status, body } = await get(await createTenant(stack().sql), report);
    expect([status, body.error, body.details]).toEqual([
      400,
      'VALIDATION_ERROR',
      [{ path, message: expect.stringMatching(/^(must|is) /) }],
    ]);
  });

  test('a share shows events, and not what they brought along', async () => {
    const tenant = await createVisitedSite();
    const { secret } = await addShare(stack().sql, tenant.siteId);
    const read = (report: string) => door(stack(), `/api/v1/shares/${secret}/analytics/${report}`, {});
    const events = await read('events');
    expect((await events.json()).data).toHaveLength(2);
    for (const props of ['events/signup/props', 'events%2Fsignup%2Fprops', 'page-props']) {
      const refused = await read(props);
      expect([refused.status, (await refused.json()).error]).toEqual([404, 'NOT_FOUND']);
    }
  });
});
