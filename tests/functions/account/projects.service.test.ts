import { expect, test } from 'vitest';
import { findQueryToken } from '../../../lib/accounts/find-query-token.ts';
import { findIngestKey } from '../../../lib/projects/find-ingest-key.ts';
import { hashToken, isToken } from '../../../lib/tokens.ts';
import { addIngestKey } from '../../security/session.ts';
import { addMember, createPerson, createProject, createTenant, type Person } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { newBrowser } from './browser.ts';

const stack = useStack();

const as = (person: Person) => newBrowser(stack(), person.cookie);
const status = async (person: Person, method: string, path: string, body?: object) =>
  (await as(person).send(method, path, body)).status;
interface AuditLine {
  action: string;
  actor: { kind: string; userId: string };
}

const rolesOf = async (projectId: string) => {
  const rows = await stack().sql`
    select role, count(*)::integer as count from project_members where project_id = ${projectId} group by role`;
  return Object.fromEntries(rows.map(({ role, count }) => [role, count]));
};

test('an invitation makes one person a member, once', async () => {
  const { sql } = stack();
  const owner = await createTenant(sql);
  const path = `/api/v1/projects/${owner.projectId}`;
  const { data } = await as(owner).json('POST', `${path}/members`, { role: 'admin' });
  expect(data.url.startsWith(`${stack().baseUrl}/join#`)).toBe(true);
  const secret = data.url.split('#')[1];
  const listed = await as(owner).json('GET', `${path}/invitations`);
  expect(listed).toMatchObject({ data: [{ id: data.id, role: 'admin' }] });
  expect(JSON.stringify(listed)).not.toContain(secret);

  expect(await status(owner, 'POST', '/api/v1/account/invitations', { secret })).toBe(409);
  const racers = await Promise.all([createPerson(sql), createPerson(sql), createPerson(sql)]);
  const answers = await Promise.all(
    racers.map((person) => status(person, 'POST', '/api/v1/account/invitations', { secret })),
  );
  expect(answers.sort()).toEqual([201, 404, 404]);
  expect(await rolesOf(owner.projectId)).toEqual({ owner: 1, admin: 1 });
});

test('an invitation tells whoever holds it what it is to, and those that are none are all the same', async () => {
  const { sql } = stack();
  const owner = await createTenant(sql);
  const path = `/api/v1/projects/${owner.projectId}`;
  await as(owner).json('PATCH', path, { name: 'Six Strings' });
  const invite = async () => (await as(owner).json('POST', `${path}/members`, { role: 'admin' })).data;
  const preview = async (secret: string) => {
    const response = await newBrowser(stack()).send('POST', '/api/v1/account/invitations/preview', {
      secret,
    });
    return [response.status, await response.json()];
  };
  const secretOf = ({ url }: { url: string }) => url.split('#')[1] ?? '';

  const open = await invite();
  const shown = { projectName: 'Six Strings', role: 'admin', expiresAt: open.expiresAt };
  for (let times = 0; times < 2; times++)
    expect(await preview(secretOf(open))).toEqual([200, { data: shown }]);
  expect(await rolesOf(owner.projectId)).toEqual({ owner: 1 });

  const [used, back, late] = [await invite(), await invite(), await invite()];
  const joining = { secret: secretOf(used) };
  expect(await status(await createPerson(sql), 'POST', '/api/v1/account/invitations', joining)).toBe(201);
  expect(await status(owner, 'DELETE', `${path}/invitations/${back.id}`)).toBe(204);
  await sql`update project_invitations set expires_at = now() - interval '1 second' where id = ${late.id}`;
  const none = [404, { error: 'NOT_FOUND', message: 'No such invitation.' }];
  for (const secret of [secretOf(used), secretOf(back), secretOf(late), 'A'.repeat(43)])
    expect(await preview(secret)).toEqual(none);
});

test('an invitation is mailed, taken back, ends after a week, and goes with who made it', async () => {
  const { sql } = stack();
  const owner = await createTenant(sql);
  const path = `/api/v1/projects/${owner.projectId}`;
  const invite = async (person: Person, body: object) =>
    (await as(person).json('POST', `${path}/members`, body)).data;
  const join = async (url: string) =>
    status(await createPerson(sql), 'POST', '/api/v1/account/invitations', { secret: url.split('#')[1] });

  const email = `${crypto.randomUUID()}@example.com`;
  const mailed = await invite(owner, { role: 'viewer', email });
  expect(stack().mail.sent.find(({ to }) => to === email)?.text).toContain(mailed.url);
  expect(await status(owner, 'DELETE', `${path}/invitations/${mailed.id}`)).toBe(204);
  expect(await join(mailed.url)).toBe(404);

  const late = await invite(owner, { role: 'viewer' });
  await sql`update project_invitations set expires_at = now() - interval '1 second' where id = ${late.id}`;
  expect(await join(late.url)).toBe(404);

  const admin = await addMember(sql, owner.projectId, 'admin');
  expect(await status(admin, 'POST', `${path}/members`, { role: 'owner' })).toBe(403);
  const theirs = await invite(admin, { role: 'admin' });
  expect(await status(owner, 'DELETE', `${path}/members/${admin.userId}`)).toBe(204);
  expect(await join(theirs.url)).toBe(404);
});

test('roles: owners change all, admins all but owners, viewers nobody; anybody may leave', async () => {
  const { sql } = stack();
  const owner = await createTenant(sql);
  const { projectId } = owner;
  const [other, admin, viewer] = await Promise.all([
    addMember(sql, projectId, 'owner'),
    addMember(sql, projectId, 'admin'),
    addMember(sql, projectId, 'viewer'),
  ]);
  const member = ({ userId }: Person) => `/api/v1/projects/${projectId}/members/${userId}`;
  expect(await status(admin, 'PATCH', member(viewer), { role: 'owner' })).toBe(403);
  expect(await status(admin, 'PATCH', member(other), { role: 'viewer' })).toBe(403);
  expect(await status(admin, 'DELETE', member(other))).toBe(403);
  expect(await status(admin, 'PATCH', member(admin), { role: 'owner' })).toBe(403);
  expect(await status(viewer, 'PATCH', member(viewer), { role: 'admin' })).toBe(403);
  expect(await status(admin, 'PATCH', member(viewer), { role: 'admin' })).toBe(204);
  expect(await status(viewer, 'PATCH', member(viewer), { role: 'viewer' })).toBe(204);
  expect(await status(viewer, 'DELETE', member(viewer))).toBe(204);
  expect(await status(viewer, 'GET', `/api/v1/projects/${projectId}`)).toBe(404);
  expect(await status(owner, 'PATCH', member(other), { role: 'admin' })).toBe(204);
  expect(await rolesOf(projectId)).toEqual({ owner: 1, admin: 2 });
  expect(await status(owner, 'DELETE', member(await createPerson(sql)))).toBe(404);
});

test('the last owner can neither leave nor step down, also when the last two try at once', async () => {
  const { sql } = stack();
  const owner = await createTenant(sql);
  const { projectId } = owner;
  const member = ({ userId }: Person) => `/api/v1/projects/${projectId}/members/${userId}`;
  expect(await status(owner, 'DELETE', member(owner))).toBe(409);
  expect(await status(owner, 'PATCH', member(owner), { role: 'viewer' })).toBe(409);
  expect(await status(owner, 'PATCH', member(owner), { role: 'owner' })).toBe(204);
  for (let round = 0; round < 5; round++) {
    const project = await createProject(sql, owner, 'owner');
    const other = await addMember(sql, project, 'owner');
    const leave = (person: Person) =>
      status(person, 'DELETE', `/api/v1/projects/${project}/members/${person.userId}`);
    const answers = await Promise.all([leave(owner), leave(other)]);
    expect(answers.sort()).toEqual([204, 409]);
    expect(await rolesOf(project)).toEqual({ owner: 1 });
  }
});

test('a project keeps an environment, also when the last two go at once', async () => {
  const { sql } = stack();
  const owner = await createPerson(sql);
  const { data: project } = await as(owner).json('POST', '/api/v1/projects', { name: 'Backends only' });
  const path = `/api/v1/projects/${project.id}/environments`;
  const { data: staging } = await as(owner).json('POST', path, { name: 'staging' });
  const { data: all } = await as(owner).json('GET', path);
  expect(all.map(({ name }: { name: string }) => name)).toEqual(['production', 'staging']);
  expect(await status(owner, 'POST', path, { name: 'staging' })).toBe(409);
  expect(await status(owner, 'PATCH', `${path}/${staging.id}`, { name: 'production' })).toBe(409);
  const answers = await Promise.all(
    all.map(({ id }: { id: string }) => status(owner, 'DELETE', `${path}/${id}`)),
  );
  expect(answers.sort()).toEqual([204, 409]);
});

test('deleting a project leaves nothing of it', async () => {
  const { sql } = stack();
  const owner = await createTenant(sql);
  const { projectId, siteId } = owner;
  const { key, environmentId } = await addIngestKey(sql, projectId);
  await as(owner).json('POST', `/api/v1/projects/${projectId}/members`, { role: 'viewer' });
  const [site] = await sql`select key from sites where id = ${siteId}`;
  await sql`
    insert into dropped_days (site_key, day, reason, events) values (${site?.key}, current_date, 'bot', 1)`;
  expect(await status(owner, 'DELETE', `/api/v1/projects/${projectId}`)).toBe(204);
  const [left] = await sql`
    select
      (select count(*)::integer from projects where id = ${projectId}) as projects,
      (select count(*)::integer from sites where project_id = ${projectId}) as sites,
      (select count(*)::integer from environments where project_id = ${projectId}) as environments,
      (select count(*)::integer from ingest_keys where environment_id = ${environmentId}) as keys,
      (select count(*)::integer from project_members where project_id = ${projectId}) as members,
      (select count(*)::integer from project_invitations where project_id = ${projectId}) as invitations,
      (select count(*)::integer from audit_log where project_id = ${projectId}) as lines`;
  expect(left).toEqual({
    projects: 0,
    sites: 0,
    environments: 0,
    keys: 0,
    members: 0,
    invitations: 0,
    lines: 0,
  });
  const dropped = await sql`select from dropped_days where site_key = ${site?.key}`;
  expect(dropped).toEqual([]);
  expect(await findIngestKey({ sql }, await hashToken(key))).toBeUndefined();
});

test('an ingest key is shown once, sends to its environment, and is revoked', async () => {
  const { sql } = stack();
  const owner = await createTenant(sql);
  const { projectId } = owner;
  const { environmentId } = await addIngestKey(sql, projectId);
  const path = `/api/v1/telemetry/projects/${projectId}/environments/${environmentId}/ingest-keys`;
  const { data } = await as(owner).json('POST', path, { name: 'Shop', outcomes: true });
  expect(isToken('ving', data.key)).toBe(true);
  const hash = await hashToken(data.key);
  const keyId = data.id;
  const found = {
    kind: 'ingestKey',
    keyId,
    projectId,
    environmentId,
    environmentKey: expect.any(Number),
    outcomes: true,
  };
  expect(await findIngestKey({ sql }, hash)).toEqual(found);
  const listed = await as(owner).json('GET', path);
  expect(listed.data[1]).toMatchObject({ id: keyId, lastUsedAt: expect.any(String) });
  expect(JSON.stringify(listed)).not.toContain(data.key);
  expect(await status(owner, 'DELETE', `${path}/${keyId}`)).toBe(204);
  expect(await status(owner, 'DELETE', `${path}/${keyId}`)).toBe(404);
  expect(await findIngestKey({ sql }, hash)).toBeUndefined();
});

test('an API key made by a person works for sites until it is revoked', async () => {
  const { sql } = stack();
  const owner = await createTenant(sql);
  const { data } = await as(owner).json('POST', '/api/v1/account/api-keys', { name: 'Reports' });
  const sites = await stack().fetch('/api/v1/sites', { headers: { Authorization: `Bearer ${data.token}` } });
  expect((await sites.json()).data).toHaveLength(1);
  expect(await status(await createPerson(sql), 'DELETE', `/api/v1/account/api-keys/${data.id}`)).toBe(404);
  expect(await status(owner, 'DELETE', `/api/v1/account/api-keys/${data.id}`)).toBe(204);
  const [row] = await sql`select revoked_at from api_tokens where id = ${data.id}`;
  expect(row?.revoked_at).toBeInstanceOf(Date);
});

test('an API key of a project makes sites there, and not in the first project of its owner', async () => {
  const { sql } = stack();
  const owner = await createTenant(sql);
  const second = await createProject(sql, owner, 'owner');
  const limits = { projectIds: [second], expiresAt: new Date(Date.now() + 3_600_000).toISOString() };
  const { data: key } = await as(owner).json('POST', '/api/v1/account/api-keys', {
    name: 'Second',
    ...limits,
  });
  const { data: listed } = await as(owner).json('GET', '/api/v1/account/api-keys');
  expect(listed[1]).toMatchObject({ id: key.id, access: 'write', ...limits, siteIds: null });
  const ask = (method: string, path: string, body?: object) =>
    stack().fetch(path, {
      method,
      headers: { Authorization: `Bearer ${key.token}`, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
  const made = await ask('POST', '/api/v1/sites', { domain: 'second.example', name: 'Second' });
  expect(await made.json()).toMatchObject({ data: { projectId: second } });
  const { data: sites } = await (await ask('GET', '/api/v1/sites')).json();
  expect(sites.map(({ domain }: { domain: string }) => domain)).toEqual(['second.example']);
  const elsewhere = { domain: 'first.example', name: 'First', projectId: owner.projectId };
  expect((await ask('POST', '/api/v1/sites', elsewhere)).status).toBe(404);
  const { data: lines } = await as(owner).json('GET', `/api/v1/projects/${second}/audit-log`);
  expect(lines.map(({ action, actor }: AuditLine) => [action, actor.kind])).toEqual([
    ['site.create', 'apiToken'],
    ['api-key.create', 'session'],
  ]);
  // What a key opens is in its own row, not in each line about it.
  const [line] =
    await sql`select actor from audit_log where project_id = ${second} and action = 'site.create'`;
  expect(line?.actor).toEqual({ kind: 'apiToken', tokenId: key.id, userId: owner.userId });
  const past = { name: 'Past', expiresAt: '2026-01-01T00:00:00.000Z' };
  expect(await status(owner, 'POST', '/api/v1/account/api-keys', past)).toBe(400);
});

test('a query token bears its scopes and ends', async () => {
  const { sql } = stack();
  const owner = await createTenant(sql);
  const path = '/api/v1/account/query-tokens';
  const body = { name: 'Agent', scopes: ['telemetry:read'], siteIds: [owner.siteId] };
  const { data } = await as(owner).json('POST', path, body);
  const hash = await hashToken(data.token);
  expect(await findQueryToken({ sql }, hash)).toEqual({
    actor: {
      kind: 'queryToken',
      tokenId: data.id,
      userId: owner.userId,
      scopes: ['telemetry:read'],
      projectIds: null,
      siteIds: [owner.siteId],
    },
    endsAt: null,
  });
  await sql`update query_tokens set expires_at = now() where id = ${data.id}`;
  expect(await findQueryToken({ sql }, hash)).toBeUndefined();
  const past = { ...body, expiresAt: '2026-01-01T00:00:00.000Z' };
  expect(await status(owner, 'POST', path, past)).toBe(400);
});

test('the audit log tells who did what, page by page, and outlives the member', async () => {
  const { sql } = stack();
  const owner = await createTenant(sql);
  const admin = await addMember(sql, owner.projectId, 'admin');
  const path = `/api/v1/projects/${owner.projectId}`;
  for (const name of ['a', 'b', 'c']) await as(admin).json('POST', `${path}/environments`, { name });
  await as(owner).send('DELETE', `${path}/members/${admin.userId}`);
  const seen: AuditLine[] = [];
  let cursor: string | null = null;
  do {
    const query: string = cursor === null ? '' : `&cursor=${cursor}`;
    const { data, meta } = await as(owner).json('GET', `${path}/audit-log?limit=3${query}`);
    seen.push(...data);
    cursor = meta.nextCursor;
  } while (cursor !== null);
  expect(seen.map(({ action }) => action)).toEqual([
    'member.remove',
    'environment.create',
    'environment.create',
    'environment.create',
  ]);
  expect(seen.map(({ actor }) => actor.userId)).toEqual([owner.userId, ...Array(3).fill(admin.userId)]);
});

test('keys and tokens leave a line in the audit log of each project that they open, and in no other', async () => {
  const { sql } = stack();
  const owner = await createTenant(sql);
  const second = await createProject(sql, owner, 'owner');
  const { data: made } = await as(owner).json('POST', '/api/v1/projects', { name: 'Third' });
  const actionsOf = async (projectId: string) => {
    const { data } = await as(owner).json('GET', `/api/v1/projects/${projectId}/audit-log`);
    return data.map(({ action }: { action: string }) => action).reverse();
  };
  const pass = async (path: string, body: object) => {
    const { data } = await as(owner).json('POST', path, body);
    expect(await status(owner, 'DELETE', `${path}/${data.id}`)).toBe(204);
  };
  await pass('/api/v1/account/api-keys', { name: 'Reports' });
  await pass('/api/v1/account/api-keys', { name: 'First', siteIds: [owner.siteId] });
  const token = { name: 'Agent', scopes: ['sites:read'] };
  const tokens = '/api/v1/account/query-tokens';
  await pass(tokens, { ...token, siteIds: [owner.siteId] });
  await pass(tokens, { ...token, projectIds: [second, made.id] });
  const key = ['api-key.create', 'api-key.revoke'];
  const queryToken = ['query-token.create', 'query-token.revoke'];
  expect(await actionsOf(owner.projectId)).toEqual([...key, ...key, ...queryToken]);
  expect(await actionsOf(second)).toEqual([...key, ...queryToken]);
  expect(await actionsOf(made.id)).toEqual(['project.create', ...key, ...queryToken]);
  await pass(tokens, token);
  expect(await actionsOf(second)).toEqual([...key, ...queryToken, ...queryToken]);
});
