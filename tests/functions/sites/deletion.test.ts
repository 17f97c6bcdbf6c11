import { expect, test } from 'vitest';
import { createTenant } from '../../security/tenant.ts';
import { useStack } from '../../services/stack.ts';
import { count, fill, identityOf, type SiteIdentity, tablesOfSites } from './site-tables.ts';

const stack = useStack();

const TABLES = [
  'events',
  'visits',
  'rollup_hours',
  'rollup_visitors',
  'dropped_days',
  'site_freshness',
  'site_texts',
  'dead_letters',
  'site_annotations',
  'site_shares',
  'site_goals',
  'site_funnels',
  'site_imports',
  'imported_days',
];

test('deleting a site deletes all that is known of it, and of no other', async () => {
  const { sql } = stack();
  const [tenant, other] = await Promise.all([createTenant(sql), createTenant(sql)]);
  const [mine, theirs] = await Promise.all([identityOf(sql, tenant.siteId), identityOf(sql, other.siteId)]);
  const tables = await tablesOfSites(sql);
  expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(TABLES));
  await fill(sql, mine);
  await fill(sql, theirs);
  const counts = async (of: SiteIdentity) =>
    Promise.all(tables.map(async (table) => [table.name, await count(sql, table, of[table.column])]));
  const none = tables.map(({ name }) => [name, 0]);
  const one = tables.map(({ name }) => [name, 1]);
  expect([await counts(mine), await counts(theirs)]).toEqual([one, one]);

  const call = (method: string, path: string, body?: object) =>
    stack().fetch(`/api/v1/sites${path}`, {
      method,
      headers: { Authorization: `Bearer ${tenant.token}`, 'Content-Type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
  const deleted = await call('DELETE', `/${tenant.siteId}`);
  expect([deleted.status, await deleted.text()]).toEqual([204, '']);
  expect([await counts(mine), await counts(theirs)]).toEqual([none, one]);
  for (const [method, body] of [['GET'], ['DELETE'], ['PATCH', { name: 'New' }]] as const) {
    expect((await call(method, `/${tenant.siteId}`, body)).status).toBe(404);
  }
  expect(await (await call('GET', '')).json()).toEqual({ data: [] });
});
