import { expect, test } from 'vitest';
import {
  findOpenedEnvironments,
  findOpenedProject,
  findOpenedSites,
  namesOf,
} from '../../../lib/accounts/opened-access.ts';
import type { ActorOf } from '../../../lib/context.ts';
import { createEnvironment } from '../../../lib/projects/environments.ts';
import { addIngestKey } from '../../security/session.ts';
import { createTeam } from '../../security/team.ts';
import { createProject, createSite } from '../../security/tenant.ts';
import { useDatabase } from '../../services/database.ts';

const database = useDatabase();

type Limits = Partial<Pick<ActorOf<'queryToken'>, 'projectIds' | 'siteIds' | 'scopes'>>;

/** A project with the sites `bücher.example` and `Shop`, and another one with a site. What a token of their owner opens. */
async function withToken() {
  const { sql } = database();
  const { owner, projectId, siteId } = await createTeam(sql);
  const shop = await createSite(sql, projectId);
  await sql`update sites set domain = 'xn--bcher-kva.example', domains = '{xn--bcher-kva.example}', name = 'Books', created_at = '2026-01-01' where id = ${siteId}`;
  await sql`update sites set domain = 'shop.example', domains = '{shop.example,www.shop.example}', name = 'The Shop', created_at = '2026-01-02' where id = ${shop}`;
  const second = await createProject(sql, { ...owner, token: '', cookie: '' }, 'viewer');
  const third = await createSite(sql, second);
  await sql`update projects set name = 'Second', created_at = '2026-01-01' where id = ${second}`;
  const ctxOf = (limits: Limits) => ({
    ...owner.ctx,
    actor: {
      ...{ kind: 'queryToken' as const, tokenId: '', userId: owner.userId, scopes: ['control:write'] },
      ...{ projectIds: null, siteIds: null, ...limits },
    },
  });
  return { sql, owner, projectId, second, siteId, shop, third, ctxOf };
}

test('a name stands for itself, and for the host of an address', () => {
  expect(namesOf('Shop.Example')).toEqual(['shop.example', 'shop.example']);
  expect(namesOf('The Shop')).toEqual(['the shop']);
  expect(namesOf('HTTPS://Bücher.example:8080/a?b#c')).toEqual([
    'https://bücher.example:8080/a?b#c',
    'xn--bcher-kva.example',
  ]);
  for (const tail of ['/', ':80', '?q', '#x', '/a\nb', ' '])
    expect(namesOf(`shop.example${tail}`)[1], JSON.stringify(tail)).toBe('shop.example');
});

test('a token opens the sites of its person, oldest first', async () => {
  const { ctxOf, projectId, second, siteId, shop, third } = await withToken();
  const ids = async (limits: Limits, limit = 10) =>
    (await findOpenedSites(ctxOf(limits), { limit })).map(({ id }) => id);
  const all = await findOpenedSites(ctxOf({}), { limit: 10 });
  const books = {
    id: siteId,
    domain: 'xn--bcher-kva.example',
    name: 'Books',
    timezone: 'UTC',
    projectId,
    project: 'Test',
    role: 'owner',
    named: true,
  };
  expect(all[0]).toEqual(books);
  expect(all.map(({ id, role, named }) => [id, role, named])).toEqual([
    [siteId, 'owner', true],
    [shop, 'owner', true],
    [third, 'viewer', true],
  ]);
  expect(await ids({}, 2)).toEqual([siteId, shop]);
  expect(await ids({ projectIds: [second] })).toEqual([third]);
  expect(await ids({ siteIds: [shop] })).toEqual([shop]);
  expect(await findOpenedSites(ctxOf({ scopes: [] }), { limit: 1, named: null })).toEqual([
    { ...books, role: 'viewer' },
  ]);
});

test('named sites come first', async () => {
  const { ctxOf, siteId, shop, third } = await withToken();
  const first = async (named: string) => {
    const [site, ...rest] = await findOpenedSites(ctxOf({}), { named, limit: 10 });
    expect(rest.map((other) => other.named)).toEqual([false, false]);
    return site?.named ? site.id : undefined;
  };
  for (const named of [
    'the shop',
    'THE SHOP',
    shop,
    shop.toUpperCase(),
    'shop.example',
    'www.shop.example',
    'https://shop.example/a',
  ])
    expect(await first(named), named).toBe(shop);
  for (const named of ['bücher.example', 'books']) expect(await first(named), named).toBe(siteId);
  expect(await first('EXAMPLE')).toBe(third);
  expect(await first('unknown')).toBeUndefined();
});

test('a token opens the environments of whole projects', async () => {
  const { sql, owner, ctxOf, projectId, second, siteId } = await withToken();
  const { id: production } = await createEnvironment(owner.ctx, { projectId, name: 'production' });
  const { id: staging } = await createEnvironment(owner.ctx, { projectId, name: 'staging' });
  const { environmentId: other, actor } = await addIngestKey(sql, second);
  const find = async (named: string | null | undefined, limits: Limits = {}) =>
    (await findOpenedEnvironments(ctxOf(limits), { named, limit: 10 })).map((one) => [one.id, one.named]);
  expect((await findOpenedEnvironments(ctxOf({}), { limit: 1 }))[0]).toEqual({
    ...{
      id: production,
      name: 'production',
      projectId,
      project: 'Test',
      role: 'owner',
      receives: false,
      named: true,
    },
  });
  expect(await find(undefined)).toEqual([
    [production, true],
    [staging, true],
    [other, true],
  ]);
  expect(await find('Staging')).toEqual([
    [staging, true],
    [production, false],
    [other, false],
  ]);
  expect(await find('second/PRODUCTION')).toEqual([
    [other, true],
    [production, false],
    [staging, false],
  ]);
  expect(await find('production')).toEqual([
    [production, true],
    [other, true],
    [staging, false],
  ]);
  expect(await find(staging.toUpperCase(), { projectIds: [projectId] })).toEqual([
    [staging, true],
    [production, false],
  ]);
  expect(await find(null, { siteIds: [siteId] })).toEqual([]);
  expect(await find(null, { siteIds: [siteId], projectIds: [second] })).toEqual([[other, true]]);
  const receives = async () =>
    (await findOpenedEnvironments(ctxOf({}), { limit: 10 })).map((one) => one.receives);
  expect(await receives()).toEqual([false, false, false]);
  await sql`
    insert into telemetry_receipts (received_at, environment_key, items, signal, service)
    values (now(), ${actor.environmentKey}, 1, 'traces', 'api')`;
  await sql`
    insert into telemetry_connections (environment_key, signal, service, last_received_at)
    select key, 'traces', 'api', now() from environments where id = ${staging}`;
  expect(await receives()).toEqual([false, true, true]);
});

test('the oldest project that a token opens as a whole', async () => {
  const { ctxOf, projectId, second, siteId } = await withToken();
  expect(await findOpenedProject(ctxOf({}))).toBe(second);
  expect(await findOpenedProject(ctxOf({ projectIds: [projectId] }))).toBe(projectId);
  expect(await findOpenedProject(ctxOf({ siteIds: [siteId] }))).toBeUndefined();
  expect(await findOpenedProject(ctxOf({ projectIds: [] }))).toBeUndefined();
});
