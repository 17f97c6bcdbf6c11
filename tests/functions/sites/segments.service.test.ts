import { describe, expect, test } from 'vitest';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import { consented, counts, pageview } from '../../lib/analytics/reports-world.ts';
import {
  addApiKey,
  addMember,
  createSite,
  createTenant,
  type Person,
  type Tenant,
} from '../../security/tenant.ts';
import { addShare } from '../../security/test-share.ts';
import { useStack } from '../../services/use-stack.ts';

const stack = useStack();

async function call(person: Pick<Person, 'token'>, path: string, method = 'GET', body?: object) {
  const response = await stack().fetch(`/api/v1/sites/${path}`, {
    method,
    headers: { Authorization: `Bearer ${person.token}`, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, text, body: text.startsWith('{') ? JSON.parse(text) : undefined };
}

const IBERIA = { name: 'Iberia', filters: { country: 'PT|ES' } };

async function create(person: Person, siteId: string, segment: object): Promise<string> {
  const { status, body } = await call(person, `${siteId}/segments`, 'POST', segment);
  expect([status, body]).toEqual([201, expect.anything()]);
  return body.data.id;
}

describe('segments', () => {
  const namesOf = async (person: Person, siteId: string) =>
    (await call(person, `${siteId}/segments`)).body.data.map(({ name }: { name: string }) => name);

  test('are kept as they were sent, changed and deleted', async () => {
    const tenant = await createTenant(stack().sql);
    const path = `${tenant.siteId}/segments`;
    const filters = { privacy_tier: 3, source: '!Google|Bing', page: '~/blog/', 'prop_plan b': 'pro' };
    const { body } = await call(tenant, path, 'POST', { name: ' Readers ', filters, shared: true });
    const { id } = body.data;
    expect(body.data).toEqual({
      id,
      name: 'Readers',
      filters,
      shared: true,
      createdAt: expect.stringMatching(/Z$/),
    });
    const changed = await call(tenant, `${path}/${id}`, 'PATCH', { filters: { country: 'PT' } });
    expect(changed.body.data).toEqual({ ...body.data, filters: { country: 'PT' } });
    expect((await call(tenant, path)).body.data).toEqual([changed.body.data]);
    expect((await call(tenant, `${path}/${id}`, 'DELETE')).status).toBe(204);
    expect((await call(tenant, path)).body.data).toEqual([]);
  });

  test('are their maker’s, or the project’s if they are shared', async () => {
    const { sql } = stack();
    const tenant = await createTenant(sql);
    const { siteId, projectId } = tenant;
    const [admin, viewer, stranger] = await Promise.all([
      addMember(sql, projectId, 'admin'),
      addMember(sql, projectId, 'viewer'),
      createTenant(sql),
    ]);
    const own = await create(tenant, siteId, { ...IBERIA, name: 'Own' });
    const shared = await create(admin, siteId, { ...IBERIA, name: 'Shared', shared: true });
    const viewers = await create(viewer, siteId, { ...IBERIA, name: 'Viewer’s' });
    expect(await namesOf(tenant, siteId)).toEqual(['Own', 'Shared']);
    expect(await namesOf(admin, siteId)).toEqual(['Shared']);
    expect(await namesOf(viewer, siteId)).toEqual(['Shared', 'Viewer’s']);
    expect((await call(stranger, `${siteId}/segments`)).status).toBe(404);

    const statusOf = async (person: Person, id: string, method: string, body?: object) =>
      (await call(person, `${siteId}/segments/${id}`, method, body)).status;
    const rename = { name: 'Renamed' };
    // Others' own segments aren't there, whoever asks.
    for (const person of [admin, viewer])
      expect([await statusOf(person, own, 'PATCH', rename), await statusOf(person, own, 'DELETE')]).toEqual([
        404, 404,
      ]);
    expect(await statusOf(tenant, viewers, 'DELETE')).toBe(404);
    // Viewers share nothing and change nothing that is shared.
    const share = { ...IBERIA, shared: true };
    expect((await call(viewer, `${siteId}/segments`, 'POST', share)).status).toBe(403);
    expect(await statusOf(viewer, shared, 'PATCH', rename)).toBe(403);
    expect(await statusOf(viewer, shared, 'PATCH', { shared: false })).toBe(403);
    expect(await statusOf(viewer, shared, 'DELETE')).toBe(403);
    expect(await statusOf(viewer, viewers, 'PATCH', { shared: true })).toBe(403);
    expect(await statusOf(viewer, viewers, 'PATCH', rename)).toBe(200);
    expect(await namesOf(viewer, siteId)).toEqual(['Shared', 'Renamed']);
    expect(await statusOf(viewer, viewers, 'DELETE')).toBe(204);
    // What is no longer shared is the caller's.
    expect(await statusOf(tenant, shared, 'PATCH', { shared: false })).toBe(200);
    expect(await namesOf(admin, siteId)).toEqual([]);
    expect(await statusOf(tenant, own, 'PATCH', { shared: true })).toBe(200);
    expect(await namesOf(admin, siteId)).toEqual(['Own']);
  });

  test('are not made by a key that only reads', async () => {
    const tenant = await createTenant(stack().sql);
    const token = await addApiKey(stack().sql, tenant, { access: 'read' });
    const id = await create(tenant, tenant.siteId, IBERIA);
    const path = `${tenant.siteId}/segments`;
    expect((await call({ token }, path)).body.data).toHaveLength(1);
    for (const [method, end, body] of [
      ['POST', '', { ...IBERIA, name: 'Other' }],
      ['PATCH', `/${id}`, { name: 'Other' }],
      ['DELETE', `/${id}`, undefined],
    ] as const)
      expect([method, (await call({ token }, path + end, method, body)).status]).toEqual([method, 403]);
    expect((await call(tenant, path)).body.data).toMatchObject([{ id, name: 'Iberia' }]);
  });

  test('have a name that no other of the same owner has', async () => {
    const { sql } = stack();
    const tenant = await createTenant(sql);
    const { siteId } = tenant;
    const viewer = await addMember(sql, tenant.projectId, 'viewer');
    const post = async (person: Person, segment: object) =>
      (await call(person, `${siteId}/segments`, 'POST', segment)).status;
    expect(await post(tenant, IBERIA)).toBe(201);
    expect(await post(tenant, IBERIA)).toBe(409);
    expect(await post(tenant, { ...IBERIA, shared: true })).toBe(201);
    expect(await post(tenant, { ...IBERIA, shared: true })).toBe(409);
    expect(await post(viewer, IBERIA)).toBe(201);
    const other = await create(tenant, siteId, { ...IBERIA, name: 'Other' });
    for (const change of [{ name: 'Iberia' }, { name: 'Iberia', shared: true }])
      expect((await call(tenant, `${siteId}/segments/${other}`, 'PATCH', change)).status).toBe(409);
  });

  test('are at most 50 of a person at a site, and 50 shared ones', async () => {
    const { sql } = stack();
    const tenant = await createTenant(sql);
    const { siteId, userId, projectId } = tenant;
    for (const owner of [userId, null])
      await sql`
        insert into site_segments (site_id, user_id, name, filters)
        select ${siteId}, ${owner}::uuid, n::text, '{"country": "PT"}' from generate_series(1, 50) n`;
    const full = { status: 409, body: { error: 'CONFLICT' } };
    expect(await call(tenant, `${siteId}/segments`, 'POST', IBERIA)).toMatchObject(full);
    expect(await call(tenant, `${siteId}/segments`, 'POST', { ...IBERIA, shared: true })).toMatchObject(full);
    const [first] = (await call(tenant, `${siteId}/segments`)).body.data;
    const move = { name: 'Moved', shared: !first.shared };
    expect(await call(tenant, `${siteId}/segments/${first.id}`, 'PATCH', move)).toMatchObject(full);
    const renamed = await call(tenant, `${siteId}/segments/${first.id}`, 'PATCH', { name: 'Renamed' });
    expect(renamed.status).toBe(200);
    await create(tenant, await createSite(sql, projectId), IBERIA);
    await create(await addMember(sql, projectId, 'viewer'), siteId, IBERIA);
  });

  test('go with their person, and shared ones stay', async () => {
    const { sql } = stack();
    const tenant = await createTenant(sql);
    const { siteId } = tenant;
    const admin = await addMember(sql, tenant.projectId, 'admin');
    await create(admin, siteId, IBERIA);
    await create(admin, siteId, { ...IBERIA, name: 'Shared', shared: true });
    await sql`delete from users where id = ${admin.userId}`;
    const rows = await sql`select name from site_segments where site_id = ${siteId}`;
    expect(rows).toEqual([{ name: 'Shared' }]);
  });

  test.each([
    [{ name: 'x' }, 'filters'],
    [{ name: 'x', filters: {} }, 'filters'],
    [{ name: 'x', filters: [] }, 'filters'],
    [{ name: 'x', filters: { nothing: 'a' } }, 'filters.nothing'],
    [{ name: 'x', filters: { filter_country: 'PT' } }, 'filters.filter_country'],
    [{ name: 'x', filters: { country: 3 } }, 'filters.country'],
    [{ name: 'x', filters: { country: { is: 'PT' } } }, 'filters.country'],
    [{ name: 'x', filters: { country: '' } }, 'filters.country'],
    [{ name: 'x', filters: { country: 'x'.repeat(2049) } }, 'filters.country'],
    [{ name: 'x', filters: { country: Array(21).fill('PT').join('|') } }, 'filters.country'],
    [{ name: 'x', filters: { privacy_tier: '3' } }, 'filters.privacy_tier'],
    [{ name: 'x', filters: { privacy_tier: 4 } }, 'filters.privacy_tier'],
    [{ name: 'x', filters: { constructor: 'a' } }, 'filters.constructor'],
    [{ name: ' ', filters: { country: 'PT' } }, 'name'],
    [{ name: 'x', filters: { country: 'PT' }, shared: 'yes' }, 'shared'],
    [{ name: 'x', filters: { country: 'PT' }, userId: 'me' }, 'userId'],
  ])('%j is refused, and %s named', async (segment, path) => {
    const tenant = await createTenant(stack().sql);
    expect(await call(tenant, `${tenant.siteId}/segments`, 'POST', segment)).toMatchObject({
      status: 400,
      body: { error: 'VALIDATION_ERROR', details: [{ path }] },
    });
  });
});

describe('a report of a segment', () => {
  const minuteAgo = () => new Date(Date.now() - 60_000).toISOString();

  async function createVisited(): Promise<Tenant> {
    const { sql } = stack();
    const tenant = await createTenant(sql);
    const visit = (who: string, country: string, path: string) => ({
      ...consented(who, [pageview(minuteAgo(), path)]),
      country,
    });
    const messages = [
      visit('a', 'PT', '/a'),
      visit('b', 'ES', '/a'),
      visit('c', 'ES', '/b'),
      visit('d', 'FR', '/a'),
      { ...counts([pageview(minuteAgo(), '/a')]), country: 'PT' },
    ];
    await foldBatch(
      sql,
      messages.map((message) => ({ ...message, siteId: tenant.siteId })),
      Date.now(),
    );
    return tenant;
  }
  const ask = (tenant: Pick<Tenant, 'siteId' | 'token'>, report: string) =>
    call(tenant, `${tenant.siteId}/analytics/${report}`);

  test.each([
    'overview',
    'timeseries',
    'pages',
    'entry-pages',
    'exit-pages',
    'countries',
    'utm?by=source',
    'events',
    'events/x/props',
    'journeys',
    'retention',
    'goals/report',
    'export?report=pages&format=json',
  ])('is that of its filters, and a filter beside it holds too: %s', async (report) => {
    const tenant = await createVisited();
    const id = await create(tenant, tenant.siteId, { name: 'Iberia', filters: { country: 'PT|ES' } });
    const query = (more: string) => `${report}${report.includes('?') ? '&' : '?'}period=7d&${more}`;
    for (const [segment, filters] of [
      [`segment=${id}`, 'filter_country=PT|ES'],
      [`segment=${id}&filter_page=/a`, 'filter_country=PT|ES&filter_page=/a'],
      [`segment=${id}&filter_country=!PT`, 'filter_country=ES'],
      [`segment=${id}&filter_privacy_tier=3`, 'filter_country=PT|ES&filter_privacy_tier=3'],
    ] as const) {
      const [one, other] = [await ask(tenant, query(segment)), await ask(tenant, query(filters))];
      expect([one.status, other.status]).toEqual([200, 200]);
      const dataOf = ({ body, text }: typeof one) => body?.data ?? text;
      expect([segment, dataOf(one)]).toEqual([segment, dataOf(other)]);
    }
  });

  test('names it in `meta`, beside the request’s own filters', async () => {
    const tenant = await createVisited();
    const filters = { country: 'PT|ES', privacy_tier: 3 };
    const id = await create(tenant, tenant.siteId, { name: 'Iberia', filters });
    const { body } = await ask(tenant, `overview?segment=${id}&filter_country=!PT`);
    expect(body.data.visits).toBe(2);
    expect(body.meta.scope).toEqual({
      siteId: tenant.siteId,
      filters: { country: { operator: 'not', values: ['PT'] } },
      segment: {
        id,
        name: 'Iberia',
        filters: { privacyTier: 3, country: { operator: 'is', values: ['PT', 'ES'] } },
      },
    });
  });

  test('is in a batch too, for the reports that take its filters', async () => {
    const tenant = await createVisited();
    const { siteId } = tenant;
    const id = await create(tenant, siteId, { name: 'Iberia', filters: { country: 'PT|ES' } });
    const { status, body } = await ask(
      tenant,
      `reports?report=overview,pages,vitals,engagement,dropped,live&segment=${id}`,
    );
    expect(status).toBe(200);
    const refused = { error: 'VALIDATION_ERROR', details: [{ path: 'segment' }] };
    expect(body.data).toMatchObject({
      overview: { data: { visits: 4 } },
      pages: { data: [{ path: '/a', visits: 3 }, { path: '/b' }] },
      vitals: { data: [] },
      engagement: refused,
      dropped: refused,
      live: refused,
    });
    expect(body.meta.scope.segment).toMatchObject({ id, name: 'Iberia' });
    for (const report of ['engagement', 'dropped', 'live'])
      expect((await ask(tenant, `${report}?segment=${id}`)).body).toEqual(body.data[report]);
    const tier = await create(tenant, siteId, { name: 'Counts', filters: { privacy_tier: 1 } });
    const live = await ask(tenant, `reports?report=live,vitals&segment=${tier}`);
    expect(live.body.data).toMatchObject({
      live: { data: { visitors: 0, anonymousPageviews: 1 } },
      vitals: { data: [] },
    });
  });

  test('goes on by a cursor until the segment changes', async () => {
    const tenant = await createVisited();
    const id = await create(tenant, tenant.siteId, { name: 'Iberia', filters: { country: 'PT|ES' } });
    const first = await ask(tenant, `pages?limit=1&segment=${id}`);
    const next = `pages?limit=1&segment=${id}&cursor=${first.body.meta.nextCursor}`;
    expect((await ask(tenant, next)).body.data).toMatchObject([{ path: '/b' }]);
    const change = { filters: { country: 'ES' } };
    await call(tenant, `${tenant.siteId}/segments/${id}`, 'PATCH', change);
    expect(await ask(tenant, next)).toMatchObject({ status: 409, body: { error: 'CONFLICT' } });
  });

  test('refuses what contradicts it, and what nobody may see', async () => {
    const { sql } = stack();
    const tenant = await createVisited();
    const { siteId } = tenant;
    const viewer = await addMember(sql, tenant.projectId, 'viewer');
    const tier = await create(tenant, siteId, {
      name: 'Consented',
      filters: { privacy_tier: 3 },
      shared: true,
    });
    const own = await create(tenant, siteId, IBERIA);
    expect(await ask(tenant, `overview?segment=${tier}&filter_privacy_tier=1`)).toMatchObject({
      status: 400,
      body: { details: [{ path: 'segment' }] },
    });
    expect((await ask({ ...viewer, siteId }, `overview?segment=${tier}`)).body.data.visits).toBe(4);
    const unseen = { status: 404, body: { error: 'NOT_FOUND', message: 'No such segment.' } };
    expect(await ask({ ...viewer, siteId }, `overview?segment=${own}`)).toMatchObject(unseen);
    expect(await ask({ ...viewer, siteId }, `reports?report=overview&segment=${own}`)).toMatchObject(unseen);
    expect(await ask(tenant, `overview?segment=${siteId}`)).toMatchObject(unseen);
    const otherSite = await createSite(sql, tenant.projectId);
    expect(await ask({ ...tenant, siteId: otherSite }, `overview?segment=${own}`)).toMatchObject(unseen);
    expect(await ask(tenant, 'overview?segment=1')).toMatchObject({
      status: 400,
      body: { details: [{ path: 'segment' }] },
    });
    // A share shows no segments, whatever it may filter by.
    const { secret } = await addShare(sql, siteId);
    for (const report of ['overview?', 'live?', 'reports?report=overview&']) {
      const response = await stack().fetch(`/api/v1/shares/${secret}/analytics/${report}segment=${tier}`);
      expect([report, response.status, await response.json()]).toMatchObject([
        report,
        400,
        { details: [{ path: 'segment' }] },
      ]);
    }
  });
});
