/** A site that snippets of other tools call by a name of theirs. */
import { expect, test } from 'vitest';
import { addMember, createTenant, type Person, type Tenant } from '../security/tenant.ts';
import { useStack } from './use-stack.ts';

const stack = useStack();
const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';

const unusual = (): string => `${crypto.randomUUID().slice(0, 13)}.example`;

async function change({ siteId }: Pick<Tenant, 'siteId'>, { token }: Pick<Person, 'token'>, body: object) {
  const response = await stack().fetch(`/api/v1/sites/${siteId}`, {
    method: 'PATCH',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return { status: response.status, body: (await response.json()) as { data?: { aliases: string[] } } };
}

async function policyOf(name: string) {
  const response = await stack().fetch(`/api/v1/policy?site=${name}`, { address: '203.0.113.81' });
  return { status: response.status, body: await response.json() };
}

test('events that name an alias are those of its site, and the policy says which that is', async () => {
  const tenant = await createTenant(stack().sql);
  const alias = unusual();
  const changed = await change(tenant, tenant, { aliases: [alias.toUpperCase(), alias] });
  expect(changed).toMatchObject({ status: 200, body: { data: { aliases: [alias] } } });
  expect(await policyOf(alias)).toMatchObject({ status: 200, body: { maxTier: 3, site: tenant.siteId } });
  expect((await policyOf(tenant.siteId)).body).toEqual({ maxTier: 3 });
  const url = 'https://example.com/';
  const event = { id: crypto.randomUUID(), type: 'pageview', pageId: crypto.randomUUID(), url };
  const answer = await stack().fetch('/api/v1/track', {
    method: 'POST',
    body: JSON.stringify({ site: alias, events: [event] }),
    address: '203.0.113.82',
    headers: { 'Content-Type': 'text/plain;charset=UTF-8', 'User-Agent': CHROME },
  });
  expect(answer.status).toBe(202);
  const pageviews = async () => {
    const report = await stack().fetch(`/api/v1/sites/${tenant.siteId}/analytics/overview?period=24h`, {
      headers: { Authorization: `Bearer ${tenant.token}` },
    });
    return ((await report.json()) as { data: { pageviews: number } }).data.pageviews;
  };
  await expect.poll(pageviews).toBe(1);
});

test('a list replaces the old one; what isn’t given stays; what is given up is free', async () => {
  const [one, two] = [await createTenant(stack().sql), await createTenant(stack().sql)];
  const [a, b, c] = [unusual(), unusual(), unusual()].sort() as [string, string, string];
  expect((await change(one, one, { aliases: [b, a] })).body.data?.aliases).toEqual([a, b]);
  expect((await change(one, one, { name: 'Books' })).body.data?.aliases).toEqual([a, b]);
  expect((await change(one, one, { aliases: [c, b] })).body.data?.aliases).toEqual([b, c]);
  expect((await change(two, two, { aliases: [a] })).status).toBe(200);
  expect((await change(one, one, { aliases: [] })).body.data?.aliases).toEqual([]);
  expect((await policyOf(b)).status).toBe(404);
});

test('nobody takes an alias of another site, or the domain of another project’s site', async () => {
  const [victim, attacker] = [await createTenant(stack().sql), await createTenant(stack().sql)];
  const [domain, other, alias] = [unusual(), unusual(), unusual()];
  await change(victim, victim, { domain, domains: [other], aliases: [alias] });
  for (const taken of [domain, other, alias]) {
    const refused = await change(attacker, attacker, { name: 'Mine', aliases: [unusual(), taken] });
    expect(refused).toMatchObject({ status: 409, body: { error: 'CONFLICT' } });
    expect(JSON.stringify(refused.body)).not.toContain(taken);
  }
  // Nothing of the refused request is stored.
  const [row] = await stack().sql`
    select name, (select count(*)::integer from site_aliases where site_id = id) as aliases
    from sites where id = ${attacker.siteId}`;
  expect(row).toMatchObject({ aliases: 0 });
  expect(row?.name).not.toBe('Mine');
  // A domain alone leads nowhere: only an alias does, and its own site may have it.
  expect((await policyOf(domain)).status).toBe(404);
  expect((await change(victim, victim, { aliases: [alias, domain, other] })).status).toBe(200);
  // Of a name that it has just looked up in vain an isolate knows for some seconds that nobody has it.
  expect((await policyOf(other)).body).toMatchObject({ site: victim.siteId });
});

test('of two sites that ask for an alias at once, one gets it', async () => {
  const tenants = await Promise.all(Array.from({ length: 4 }, () => createTenant(stack().sql)));
  const alias = unusual();
  const answers = await Promise.all(tenants.map((tenant) => change(tenant, tenant, { aliases: [alias] })));
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409]);
});

test('a viewer changes no alias, and what is no name is refused', async () => {
  const tenant = await createTenant(stack().sql);
  const viewer = await addMember(stack().sql, tenant.projectId, 'viewer');
  expect((await change(tenant, viewer, { aliases: [unusual()] })).status).toBe(403);
  for (const aliases of [['https://example.com'], ['a b'], [''], Array.from({ length: 21 }, unusual), 'a'])
    expect((await change(tenant, tenant, { aliases })).status).toBe(400);
});

test('a deleted site frees its aliases', async () => {
  const [one, two] = [await createTenant(stack().sql), await createTenant(stack().sql)];
  const alias = unusual();
  await change(one, one, { aliases: [alias] });
  await stack().fetch(`/api/v1/sites/${one.siteId}`, {
    method: 'DELETE',
    headers: { Authorization: `Bearer ${one.token}` },
  });
  expect((await change(two, two, { aliases: [alias] })).status).toBe(200);
});
