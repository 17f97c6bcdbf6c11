import * as v from 'valibot';
import { expect, test } from 'vitest';
import { SiteDeletion } from '../../../lib/sites/schemas.ts';
import { addMember, createTenant, type Person } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
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
  'site_segments',
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

test('a deletion is listed for the members of its project, and audited; the site is gone for all while rows are left', async () => {
  const { sql } = stack();
  const [tenant, stranger] = await Promise.all([createTenant(sql), createTenant(sql)]);
  const viewer = await addMember(sql, tenant.projectId, 'viewer');
  const { siteId, projectId } = tenant;
  const { site_key: key } = await identityOf(sql, siteId);
  // More rows than one piece of the deletion.
  await sql`insert into site_texts (site_key, id, value) select ${key}, n, '/' || n from generate_series(1, 10500) n`;
  const call = (person: Person, method: string, path: string) =>
    stack().fetch(`/api/v1/sites${path}`, {
      method,
      headers: { Authorization: `Bearer ${person.token}`, 'X-Request-Id': `r-${siteId}` },
    });
  const deletionsOf = async (person: Person) => {
    const response = await call(person, 'GET', '/deletions');
    const { data } = v.parse(
      v.object({ data: v.array(v.strictObject(SiteDeletion.entries)) }),
      await response.json(),
    );
    return data;
  };
  expect(await deletionsOf(tenant)).toEqual([]);
  expect((await call(viewer, 'DELETE', `/${siteId}`)).status).toBe(403);
  expect((await call(stranger, 'DELETE', `/${siteId}`)).status).toBe(404);

  expect((await call(tenant, 'DELETE', `/${siteId}`)).status).toBe(204);
  const deletion = {
    siteId,
    projectId,
    domain: 'example.com',
    name: 'Example',
    visits: 0,
    deletedVisits: 0,
    deletedRows: 10_000,
    finishedAt: null,
  };
  expect(await deletionsOf(tenant)).toMatchObject([deletion]);
  expect(await deletionsOf(viewer)).toMatchObject([deletion]);
  expect(await deletionsOf(stranger)).toEqual([]);
  for (const path of ['', '/shares', '/analytics/overview?period=7d']) {
    expect([path, (await call(tenant, 'GET', `/${siteId}${path}`)).status]).toEqual([path, 404]);
  }
  expect((await stack().fetch(`/api/v1/policy?site=${siteId}`)).status).toBe(404);

  await stack().scheduled('ingest', '*/15 * * * *');
  const [finished] = await deletionsOf(tenant);
  expect(finished).toMatchObject({ ...deletion, deletedRows: 10_500, finishedAt: expect.any(String) });
  expect(Date.parse(finished?.finishedAt ?? '')).toBeGreaterThanOrEqual(
    Date.parse(finished?.requestedAt ?? ''),
  );

  const audited = await sql`
    select actor, action, site, subject, request_id from audit_log where project_id = ${projectId} and result = 'done'`;
  expect(audited).toEqual([
    {
      actor: { kind: 'apiToken', userId: tenant.userId, tokenId: expect.any(String) },
      action: 'site.delete',
      site: siteId,
      subject: null,
      request_id: `r-${siteId}`,
    },
  ]);
});
