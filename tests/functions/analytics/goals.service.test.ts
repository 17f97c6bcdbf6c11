import { describe, expect, test } from 'vitest';
import { foldBatch } from '../../../lib/collection/fold-batch.ts';
import type { TrackMessage } from '../../../lib/collection/track-message.ts';
import type { Target } from '../../../lib/goals/target.ts';
import { consented, counts, custom, pageview, session } from '../../lib/analytics/reports-world.ts';
import { addGoal } from '../../security/definitions.ts';
import { createTenant, type Tenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { type Door, doors } from './doors.ts';

const stack = useStack();
const at = new Date().toISOString();
const sale = (amount: string, currency = 'EUR') => ({
  type: 'event' as const,
  id: crypto.randomUUID(),
  at: Date.parse(at),
  hostname: 'example.com',
  path: '/',
  name: 'purchase',
  revenue: { amount, currency },
});

describe.each<[string, Door]>(Object.entries(doors))('goals and funnels in %s', (_, door) => {
  async function call(tenant: Tenant, method: string, path: string, body?: object) {
    const response = await door(stack(), `/api/v1/sites/${tenant.siteId}/analytics/${path}`, {
      method,
      headers: { Authorization: `Bearer ${tenant.token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
  }
  const visit = (tenant: Tenant, ...messages: Omit<TrackMessage, 'siteId'>[]) =>
    foldBatch(
      stack().sql,
      messages.map((message) => ({ ...message, siteId: tenant.siteId })),
      Date.now(),
    );
  const newTenant = () => createTenant(stack().sql);

  const steps: Target[] = [{ page: '/pricing' }, { event: 'signup' }];
  test.each([
    ['goals', { event: 'signup' }, { page: '/blog/*' }],
    ['funnels', { steps }, { steps: [...steps, { page: '/welcome/**' }] }],
  ])('%s are made, listed, changed and deleted', async (kind, first, second) => {
    const tenant = await newTenant();
    const made = await call(tenant, 'POST', kind, { name: '  One ', ...first });
    expect(made).toEqual({
      status: 201,
      body: {
        data: {
          id: expect.stringMatching(/^[0-9a-f-]{36}$/),
          name: 'One',
          ...first,
          createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:]{8}\.\d{3}Z$/),
        },
      },
    });
    const { data } = made.body;
    const path = `${kind}/${data.id}`;
    const other = (await call(tenant, 'POST', kind, { name: 'Other', ...first })).body.data;
    expect((await call(tenant, 'GET', kind)).body).toEqual({ data: [data, other] });

    const { event: _, ...kept } = data;
    expect((await call(tenant, 'PATCH', path, second)).body).toEqual({ data: { ...kept, ...second } });
    const renamed = await call(tenant, 'PATCH', path, { name: 'New' });
    expect(renamed).toEqual({ status: 200, body: { data: { ...kept, ...second, name: 'New' } } });

    expect(await call(tenant, 'DELETE', path)).toEqual({ status: 204, body: undefined });
    expect((await call(tenant, 'DELETE', path)).status).toBe(404);
    expect((await call(tenant, 'PATCH', path, { name: 'x' })).status).toBe(404);
    expect((await call(tenant, 'GET', kind)).body).toEqual({ data: [other] });
  });

  test.each([
    ['goals', { event: 'signup' }],
    ['funnels', { steps }],
  ])('%s have names of their own, are 100 at most, and are nobody else’s', async (kind, body) => {
    const { sql } = stack();
    const [tenant, stranger] = await Promise.all([newTenant(), newTenant()]);
    const { data } = (await call(tenant, 'POST', kind, { name: 'One', ...body })).body;
    const conflict = { status: 409, body: { error: 'CONFLICT' } };
    expect(await call(tenant, 'POST', kind, { name: 'One', ...body })).toMatchObject(conflict);
    const { id } = (await call(tenant, 'POST', kind, { name: 'Two', ...body })).body.data;
    expect(await call(tenant, 'PATCH', `${kind}/${id}`, { name: 'One' })).toMatchObject(conflict);
    expect((await call(tenant, 'PATCH', `${kind}/${id}`, { name: 'Two' })).status).toBe(200);

    expect((await call(stranger, 'POST', kind, { name: 'One', ...body })).status).toBe(201);
    for (const method of ['PATCH', 'DELETE']) {
      const init = method === 'PATCH' ? { name: 'Mine' } : undefined;
      expect((await call(stranger, method, `${kind}/${data.id}`, init)).status).toBe(404);
    }
    await (kind === 'goals'
      ? sql`insert into site_goals (site_id, name, kind, pattern)
            select ${tenant.siteId}, n::text, 2, 'x' from generate_series(1, 98) as n`
      : sql`insert into site_funnels (site_id, name, steps)
            select ${tenant.siteId}, n::text, '[]' from generate_series(1, 98) as n`);
    expect(await call(tenant, 'POST', kind, { name: 'More', ...body })).toMatchObject(conflict);
    expect((await call(tenant, 'GET', kind)).body.data).toHaveLength(100);
  });

  test.each<[string, object, string]>([
    ['goals', { event: 'signup' }, 'name'],
    ['goals', { name: ' ', event: 'signup' }, 'name'],
    ['goals', { name: 'x'.repeat(101), event: 'signup' }, 'name'],
    ['goals', { name: 'x' }, ''],
    ['goals', { name: 'x', event: 'a', page: '/' }, ''],
    ['goals', { name: 'x', event: '' }, 'event'],
    ['goals', { name: 'x', event: 'e'.repeat(65) }, 'event'],
    ['goals', { name: 'x', page: 'pricing' }, 'page'],
    ['goals', { name: 'x', page: '/a*' }, 'page'],
    ['goals', { name: 'x', page: ['/'] }, 'page'],
    ['goals', { name: 'x', event: 'a', id: '1' }, 'id'],
    ['funnels', { name: 'x' }, 'steps'],
    ['funnels', { name: 'x', steps: [{ event: 'a' }] }, 'steps'],
    ['funnels', { name: 'x', steps: Array.from({ length: 9 }, () => ({ event: 'a' })) }, 'steps'],
    ['funnels', { name: 'x', steps: [{ event: 'a' }, {}] }, 'steps.1'],
    ['funnels', { name: 'x', steps: [{ event: 'a' }, { page: '/**/x' }] }, 'steps.1.page'],
    ['funnels', { name: 'x', steps: [{ event: 'a' }, { event: 'b', name: 'c' }] }, 'steps.1.name'],
  ])('%s: %j is refused, and the path named', async (kind, body, path) => {
    expect(await call(await newTenant(), 'POST', kind, body)).toMatchObject({
      status: 400,
      body: { error: 'VALIDATION_ERROR', details: [{ path, message: expect.stringMatching(/^(must|is) /) }] },
    });
  });

  test('a goal’s report: visits, money to the cent, and whether the rate is exact', async () => {
    const tenant = await newTenant();
    for (const [name, target] of Object.entries({
      Paid: { event: 'purchase' },
      'Saw prices': { page: '/pricing' },
      Never: { page: '/never/**' },
    }))
      await call(tenant, 'POST', 'goals', { name, ...target });
    await visit(
      tenant,
      consented('ann', [pageview(at, '/'), sale('0.10'), sale('0.20'), sale('999999999999.9999', 'USD')]),
      session('bob', [pageview(at, '/pricing'), sale('0.1')]),
      session('eve', [pageview(at, '/')]),
    );
    const { data, meta } = (await call(tenant, 'GET', 'goals/report?period=7d')).body;
    const never = { conversions: 0, conversionRate: 0, events: 0, visitors: 0, revenue: [] };
    expect(data).toMatchObject([
      {
        name: 'Paid',
        event: 'purchase',
        conversions: 2,
        conversionRate: 66.7,
        events: 4,
        visitors: 2,
        revenue: [
          { currency: 'EUR', amount: '0.40' },
          { currency: 'USD', amount: '999999999999.9999' },
        ],
      },
      { name: 'Saw prices', conversions: 1, conversionRate: 33.3, events: 1, visitors: 1, revenue: [] },
      { name: 'Never', ...never },
    ]);
    expect(meta.approximate).toEqual([]);
    const { body: filtered } = await call(tenant, 'GET', 'goals/report?filter_goal=Saw%20prices');
    expect(filtered.data.map(({ conversionRate }: { conversionRate: number }) => conversionRate)).toEqual([
      100, 100, 0,
    ]);
    expect(filtered.meta.scope.filters).toEqual({ goal: { operator: 'is', values: ['Saw prices'] } });
  });

  test('anonymous counts convert page by page and continuations without a visit, 100 % at most', async () => {
    const tenant = await newTenant();
    await call(tenant, 'POST', 'goals', { name: 'Read', page: '/blog/*' });
    await visit(
      tenant,
      counts([pageview(at, '/blog/a')]),
      counts([pageview(at, '/blog/b', { entry: false })]),
      consented('ann', [pageview(at, '/blog/c')], { continued: true }),
    );
    const report = async (query = '') => (await call(tenant, 'GET', `goals/report${query}`)).body;
    const all = await report();
    expect(all.data).toMatchObject([{ conversions: 3, conversionRate: 100, visitors: 1 }]);
    expect(all.meta.approximate).toEqual(['anonymousCounts', 'continuations']);
    expect((await report('?filter_privacy_tier=2')).meta.approximate).toEqual([]);
  });

  test('what a server sent outside of any visit converts, and shows no visitor', async () => {
    const tenant = await newTenant();
    await call(tenant, 'POST', 'goals', { name: 'Paid', event: 'purchase' });
    const steps = [{ event: 'purchase' }, { event: 'purchase' }];
    const { id } = (await call(tenant, 'POST', 'funnels', { name: 'Way', steps })).body.data;
    await visit(
      tenant,
      session('ann', [{ ...sale('5'), entry: false }]),
      session('bob', [pageview(at, '/')]),
    );
    const { data, meta } = (await call(tenant, 'GET', 'goals/report')).body;
    const revenue = [{ currency: 'EUR', amount: '5' }];
    expect(data).toMatchObject([{ conversions: 1, conversionRate: 100, events: 1, visitors: 0, revenue }]);
    expect(meta.approximate).toEqual(['serverEvents']);
    const funnel = (await call(tenant, 'GET', `funnels/${id}/report`)).body;
    expect(funnel.data.steps.map(({ visits }: { visits: number }) => visits)).toEqual([0, 0]);
    expect(funnel.meta.approximate).toEqual([]);
  });

  test('a funnel’s report: steps in order, and where visits leave', async () => {
    const tenant = await newTenant();
    const way = [{ page: '/' }, { page: '/pricing' }, { event: 'signup' }];
    const { id } = (await call(tenant, 'POST', 'funnels', { name: 'Way', steps: way })).body.data;
    const later = (ms: number) => new Date(Date.parse(at) - 60_000 + ms).toISOString();
    const hits = (...paths: string[]) => paths.map((path, n) => pageview(later(n), path));
    await visit(
      tenant,
      session('all', [...hits('/', '/x', '/pricing'), custom(later(9))]),
      session('two', hits('/', '/pricing')),
      session('one', [custom(later(0)), pageview(later(1), '/'), pageview(later(2), '/x')]),
      session('out of order', hits('/pricing', '/')),
      session('none', hits('/pricing')),
      counts([pageview(at, '/')]),
    );
    const path = `funnels/${id}/report`;
    const { data, meta } = (await call(tenant, 'GET', path)).body;
    expect(data).toEqual({
      id,
      name: 'Way',
      steps: [
        { page: '/', visits: 4, share: 100, dropOff: 0 },
        { page: '/pricing', visits: 2, share: 50, dropOff: 50 },
        { event: 'signup', visits: 1, share: 25, dropOff: 50 },
      ],
    });
    expect(meta.approximate).toEqual([]);
    const anonymous = (await call(tenant, 'GET', `${path}?filter_privacy_tier=1`)).body.data.steps;
    expect(anonymous).toMatchObject(way.map(() => ({ visits: 0, share: 0, dropOff: 0 })));
    const stranger = await newTenant();
    expect((await call(stranger, 'GET', path)).status).toBe(404);
  });

  test('goals filter other reports, by name and by id, and never a stranger’s', async () => {
    const [tenant, stranger] = await Promise.all([newTenant(), newTenant()]);
    const id = await addGoal(stack().sql, tenant.siteId, { name: 'Paid', event: 'purchase' });
    await addGoal(stack().sql, stranger.siteId, { name: 'Theirs', page: '/**' });
    await visit(tenant, session('ann', [pageview(at, '/'), sale('1')]), session('bob', [pageview(at, '/')]));
    const visits = async (filter: string) =>
      (await call(tenant, 'GET', `overview?filter_goal=${filter}`)).body.data.visits;
    expect(await Promise.all(['Paid', id, '~PAI', '!Paid', 'Theirs', '!Theirs', 'paid'].map(visits))).toEqual(
      [1, 1, 1, 1, 0, 2, 0],
    );
  });
});
