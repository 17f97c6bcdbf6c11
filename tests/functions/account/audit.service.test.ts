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
    'site.change done',
    'share.revoke done',
    'share.create done',
    'annotation.delete done',
    'annotation.create done',
  ]);
  expect(lines.map(({ target }) => target)).toEqual([
    { id: tenant.siteId, name: 'Renamed' },
    { id: tenant.siteId, name: 'Renamed' },
    { id: share, name: 'All' },
    { id: share, name: 'All' },
    { id: note, name: 'New prices' },
    { id: note, name: 'New prices' },
  ]);
  expect(lines[3]?.inputHash).toBe(await hashInput({ siteId: tenant.siteId, name: 'All' }));
});

test('lines name what was changed; of a visitor and of a refused call they don’t', async () => {
  const tenant = await createTenant(stack().sql);
  const other = await addMember(stack().sql, tenant.projectId, 'viewer');
  const project = `/api/v1/projects/${tenant.projectId}`;
  const site = `/api/v1/sites/${tenant.siteId}`;
  const make = async (path: string, body: object, method = 'POST') => {
    const response = await send(tenant, path, method, body);
    expect(response.status).toBeLessThan(300);
    return ((await response.json()) as { data: { id: string } }).data.id;
  };
  const remove = async (path: string) => expect((await send(tenant, path, 'DELETE')).status).toBe(204);
  const goal = await make(`${site}/analytics/goals`, { name: 'Signed up', event: 'signup' });
  await make(`${site}/analytics/goals/${goal}`, { name: 'Joined', event: 'signup' }, 'PATCH');
  await remove(`${site}/analytics/goals/${goal}`);
  const environment = await make(`${project}/environments`, { name: 'staging' });
  // A project keeps at least one.
  await make(`${project}/environments`, { name: 'production' });
  const control = `/api/v1/telemetry/projects/${tenant.projectId}/environments/${environment}`;
  const ingestKey = await make(`${control}/ingest-keys`, { name: 'shop' });
  await remove(`${control}/ingest-keys/${ingestKey}`);
  await send(tenant, `${control}/retention`, 'PUT', { traces: 7, logs: 7, metrics: 7 });
  await send(tenant, `${control}/origins`, 'PUT', { origins: [{ origin: 'https://api.example.com' }] });
  await make(`${project}/environments/${environment}`, { name: 'test' }, 'PATCH');
  await remove(`${project}/environments/${environment}`);
  await send(other, `${project}/environments`, 'POST', { name: 'no' });
  const apiKey = await make('/api/v1/account/api-keys', { name: 'laptop' });
  await remove(`/api/v1/account/api-keys/${apiKey}`);
  await send(tenant, `${project}/members/${other.userId}`, 'PATCH', { role: 'admin' });
  await make(project, { name: 'Six Strings' }, 'PATCH');
  await send(tenant, `${site}/visitors/export`, 'POST', { visitorId: crypto.randomUUID() });
  const [person] = await stack().sql`select name from users where id = ${other.userId}::uuid`;
  const lines = (await linesOf(tenant)).filter(({ action }) => !action.startsWith('visitor.'));
  expect(lines.map(({ action, target }) => [action, target]).reverse()).toEqual([
    ['goal.create', { id: goal, name: 'Signed up' }],
    ['goal.change', { id: goal, name: 'Joined' }],
    ['goal.delete', { id: goal, name: 'Joined' }],
    ['environment.create', { id: environment, name: 'staging' }],
    ['environment.create', { id: expect.any(String), name: 'production' }],
    ['ingest-key.create', { id: ingestKey, name: 'shop' }],
    ['ingest-key.revoke', { id: ingestKey, name: 'shop' }],
    ['retention.replace', { id: environment, name: 'staging' }],
    ['origins.replace', { id: environment, name: 'staging' }],
    ['environment.rename', { id: environment, name: 'test' }],
    ['environment.delete', { id: environment, name: 'test' }],
    ['environment.create', null],
    ['api-key.create', { id: apiKey, name: 'laptop' }],
    ['api-key.revoke', { id: apiKey, name: 'laptop' }],
    ['member.change', { id: other.userId, name: person?.name }],
    ['project.rename', { id: tenant.projectId, name: 'Six Strings' }],
  ]);
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
  // Previews only read. Events don't change settings, and there are thousands of them.
  expect(unaudited).toEqual(['previewSiteAlert', 'sendEvents', 'previewEnvironmentAlert']);
});

test('lines are chosen by action, person and result; a cursor continues only its own choice', async () => {
  const tenant = await createTenant(stack().sql);
  const viewer = await addMember(stack().sql, tenant.projectId, 'viewer');
  const project = `/api/v1/projects/${tenant.projectId}`;
  await send(tenant, `${project}/members`, 'POST', { role: 'viewer' });
  await send(tenant, `${project}/members`, 'POST', { role: 'admin' });
  await send(viewer, `${project}/members`, 'POST', { role: 'viewer' });
  await send(tenant, `${project}/environments`, 'POST', { name: 'staging' });
  const ask = async (query: string) => {
    const response = await send(tenant, `${project}/audit-log?${query}`, 'GET');
    const { data, meta } = (await response.json()) as { data: AuditEntry[]; meta: { nextCursor: string } };
    return { status: response.status, lines: data?.map(({ action, result }) => `${action} ${result}`), meta };
  };
  const [invited, refused] = ['member.invite done', 'member.invite FORBIDDEN'];
  expect((await ask('action=member')).lines).toEqual([refused, invited, invited]);
  expect((await ask('action=environment.create')).lines).toEqual(['environment.create done']);
  expect((await ask('action=environment.delete')).lines).toEqual([]);
  expect((await ask(`userId=${viewer.userId}`)).lines).toEqual([refused]);
  expect((await ask('result=failed')).lines).toEqual([refused]);
  const first = await ask('action=member&result=done&limit=1');
  expect(first.lines).toEqual([invited]);
  const next = await ask(`action=member&result=done&limit=1&cursor=${first.meta.nextCursor}`);
  expect([next.lines, next.meta.nextCursor]).toEqual([[invited], null]);
  expect((await ask(`action=member&cursor=${first.meta.nextCursor}`)).status).toBe(409);
  expect((await ask("action=member'--")).status).toBe(400);
});
