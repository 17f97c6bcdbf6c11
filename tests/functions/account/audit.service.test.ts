/** The audit log's lines of calls: operation, hash of the input, and result, also for refused and failed calls. */
import { expect, test } from 'vitest';
import { routes as account } from '../../../functions/account/contract.ts';
import { routes as analytics } from '../../../functions/analytics/contract.ts';
import { routes as sites } from '../../../functions/sites/contract.ts';
import { routes as telemetry } from '../../../functions/telemetry/contract.ts';
import type { Contracts } from '../../../lib/http/contract.ts';
import { hashInput } from '../../../lib/input-hash.ts';
import type { AuditEntry } from '../../../lib/projects/schemas.ts';
import { addMember, createTenant, type Person, type Tenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';

const stack = useStack();

const send = (person: Person, path: string, method: string, body?: object) =>
  stack().fetch(path, {
    method,
    headers: { Cookie: person.cookie, 'Content-Type': 'application/json' },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });

async function linesOf({ projectId, cookie }: Tenant): Promise<AuditEntry[]> {
  const response = await stack().fetch(`/api/v1/projects/${projectId}/audit-log`, {
    headers: { Cookie: cookie },
  });
  const { data } = (await response.json()) as { data: AuditEntry[] };
  return data;
}

test('a goal is made, made again and refused to a viewer', async () => {
  const tenant = await createTenant(stack().sql);
  const { siteId, userId } = tenant;
  const viewer = await addMember(stack().sql, tenant.projectId, 'viewer');
  const goals = `/api/v1/sites/${siteId}/analytics/goals`;
  const goal = { name: 'Signed up', event: 'signup' };
  expect((await send(tenant, goals, 'POST', goal)).status).toBe(201);
  expect((await send(tenant, goals, 'POST', goal)).status).toBe(409);
  expect((await send(viewer, goals, 'POST', goal)).status).toBe(403);
  expect((await send(tenant, goals, 'POST', { name: 'Nothing' })).status).toBe(400);

  const line = (person: Person, result: string, inputHash: string | null) => ({
    action: 'goal.create',
    tool: 'createGoal',
    actor: { kind: 'session', userId: person.userId, tokenId: null },
    site: siteId,
    inputHash,
    result,
  });
  const hash = await hashInput({ ...goal, siteId });
  expect(userId).not.toBe(viewer.userId);
  expect(await linesOf(tenant)).toMatchObject([
    line(tenant, 'VALIDATION_ERROR', null),
    line(viewer, 'FORBIDDEN', hash),
    line(tenant, 'CONFLICT', hash),
    line(tenant, 'done', hash),
  ]);
});

test('somebody else’s call leaves no line, and tells nothing', async () => {
  const [tenant, other] = await Promise.all([createTenant(stack().sql), createTenant(stack().sql)]);
  const response = await send(other, `/api/v1/sites/${tenant.siteId}`, 'PATCH', { name: 'Mine' });
  expect(response.status).toBe(404);
  expect(await linesOf(tenant)).toEqual([]);
});

test('what belongs to a site: annotations, shares, its name, its policy and its end', async () => {
  const tenant = await createTenant(stack().sql);
  const site = `/api/v1/sites/${tenant.siteId}`;
  const idOf = async (response: Response) => ((await response.json()) as { data: { id: string } }).data.id;
  const note = await idOf(
    await send(tenant, `${site}/analytics/annotations`, 'POST', { date: '2026-11-21', text: 'New prices' }),
  );
  await send(tenant, `${site}/analytics/annotations/${note}`, 'DELETE');
  const share = await idOf(
    await send(tenant, `${site}/shares`, 'POST', { name: 'All', password: 'salt and brine' }),
  );
  await send(tenant, `${site}/shares/${share}`, 'DELETE');
  await send(tenant, site, 'PATCH', { name: 'Renamed' });
  await send(tenant, site, 'DELETE');
  const lines = await linesOf(tenant);
  expect(lines.map(({ action, result }) => `${action} ${result}`)).toEqual([
    'site.delete done',
    'site.rename done',
    'share.revoke done',
    'share.create done',
    'annotation.delete done',
    'annotation.create done',
  ]);
  expect(lines[3]?.inputHash).toBe(await hashInput({ siteId: tenant.siteId, name: 'All' }));
});

test('every route that changes what belongs to a project is audited', () => {
  const all: Contracts = { ...account, ...analytics, ...sites, ...telemetry };
  const changing = Object.entries(all).filter(
    ([, { method, auth, path }]) =>
      method !== 'GET' && (auth === 'member' || auth === 'session') && /:(siteId|projectId)/.test(path),
  );
  const unaudited = changing
    .filter(([, { audit }]) => audit === undefined)
    .map(([operationId]) => operationId);
  // Events don't change settings, and there are thousands of them.
  expect(unaudited).toEqual(['sendEvents']);
});
