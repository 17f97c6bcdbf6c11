import { describe, expect, test } from 'vitest';
import type { AuditEntry } from '../../../lib/projects/schemas.ts';
import { addMember, createTenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { newSender } from '../receiver/backend-sender.ts';
import { asMember } from './member.ts';

const stack = useStack();

describe('origins', () => {
  test('are replaced as a whole, and listed by name', async () => {
    const owner = await newSender(stack());
    const ask = asMember(stack(), owner, owner);
    expect(await ask.get('origins')).toEqual([200, { data: { origins: [] } }]);
    const origins = [
      { origin: 'https://api.example.com', siteIds: [owner.siteId] },
      { origin: 'http://localhost:3000' },
      { origin: 'https://api.example.com:8443', siteIds: [] },
    ];
    const sorted = [origins[1], origins[0], origins[2]];
    expect(await ask.put('origins', { origins })).toEqual([200, { data: { origins: sorted } }]);
    expect(await ask.get('origins')).toEqual([200, { data: { origins: sorted } }]);
    const fewer = [{ origin: 'https://api.example.com' }];
    expect(await ask.put('origins', { origins: fewer })).toEqual([200, { data: { origins: fewer } }]);
    expect(await ask.get('origins')).toEqual([200, { data: { origins: fewer } }]);
  });

  test('never widen: one whose sites are all deleted is tied to none', async () => {
    const owner = await newSender(stack());
    const ask = asMember(stack(), owner, owner);
    await ask.put('origins', { origins: [{ origin: 'https://api.example.com', siteIds: [owner.siteId] }] });
    await stack().sql`select delete_site(${owner.siteId})`;
    expect(await ask.get('origins')).toEqual([
      200,
      { data: { origins: [{ origin: 'https://api.example.com', siteIds: [] }] } },
    ]);
  });

  test('with a site of another project are 404, and nothing is changed', async () => {
    const owner = await newSender(stack());
    const { siteId: theirs } = await createTenant(stack().sql);
    const ask = asMember(stack(), owner, owner);
    const before = { origins: [{ origin: 'https://api.example.com' }] };
    await ask.put('origins', before);
    for (const siteId of [theirs, crypto.randomUUID()]) {
      const origins = [
        { origin: 'https://a.example.com', siteIds: [owner.siteId, siteId] },
        { origin: 'https://b.example.com' },
      ];
      expect(await ask.put('origins', { origins })).toMatchObject([404, { error: 'NOT_FOUND' }]);
    }
    expect(await ask.get('origins')).toEqual([200, { data: before }]);
  });

  test.each([
    'https://api.example.com/',
    'https://api.example.com/v1',
    'https://api.example.com?x',
    'https://api.example.com:443',
    'https://API.example.com',
    'https://user@api.example.com',
    'https://*.example.com',
    'http://api.example.com',
    'http://localhost.example.com',
    'ftp://localhost',
    'javascript:alert(1)',
    'api.example.com',
    'null',
    '',
  ])('%j is no origin', async (origin) => {
    const owner = await newSender(stack());
    const [status, body] = await asMember(stack(), owner, owner).put('origins', { origins: [{ origin }] });
    expect([status, body.details]).toEqual([400, [expect.objectContaining({ path: 'origins.0.origin' })]]);
  });

  test('are at most 50, each once', async () => {
    const owner = await newSender(stack());
    const ask = asMember(stack(), owner, owner);
    const many = (count: number) =>
      Array.from({ length: count }, (_, n) => ({ origin: `https://api${n}.example.com` }));
    expect((await ask.put('origins', { origins: many(50) }))[0]).toBe(200);
    expect((await ask.put('origins', { origins: many(51) }))[0]).toBe(400);
    expect((await ask.put('origins', { origins: [...many(1), ...many(1)] }))[0]).toBe(400);
  });
});

test('retention is 30 days at first, and 1 to 90 by signal', async () => {
  const owner = await newSender(stack());
  const ask = asMember(stack(), owner, owner);
  expect(await ask.get('retention')).toEqual([200, { data: { traces: 30, logs: 30, metrics: 30 } }]);
  const days = { traces: 1, logs: 14, metrics: 90 };
  expect(await ask.put('retention', days)).toEqual([200, { data: days }]);
  expect(await ask.get('retention')).toEqual([200, { data: days }]);
  for (const wrong of [0, 91, 1.5, '7', null, -1, undefined])
    expect((await ask.put('retention', { ...days, logs: wrong }))[0]).toBe(400);
  expect(await ask.get('retention')).toEqual([200, { data: days }]);
});

test('each control call is in the audit log, with who made it; those that were refused too', async () => {
  const owner = await newSender(stack());
  const admin = await addMember(stack().sql, owner.projectId, 'admin');
  const viewer = await addMember(stack().sql, owner.projectId, 'viewer');
  const origins = { origins: [{ origin: 'https://api.example.com' }] };
  const days = { traces: 7, logs: 7, metrics: 7 };
  expect((await asMember(stack(), owner, owner).put('origins', origins))[0]).toBe(200);
  expect((await asMember(stack(), admin, owner).put('retention', days))[0]).toBe(200);
  const created = await asMember(stack(), admin, owner).send('POST', 'ingest-keys', { name: 'New' });
  const { data: key } = await created.json();
  await asMember(stack(), owner, owner).send('DELETE', `ingest-keys/${key.id}`);
  expect((await asMember(stack(), viewer, owner).put('origins', origins))[0]).toBe(403);
  expect((await asMember(stack(), viewer, owner).put('retention', days))[0]).toBe(403);
  expect((await asMember(stack(), owner, owner).put('retention', { ...days, logs: 0 }))[0]).toBe(400);
  const response = await stack().fetch(`/api/v1/projects/${owner.projectId}/audit-log`, {
    headers: { Cookie: owner.cookie },
  });
  const { data } = await response.json();
  const lines = data.map(({ action, actor, result }: AuditEntry) => [
    action,
    actor.kind,
    actor.userId,
    result,
  ]);
  expect(lines).toEqual([
    ['retention.replace', 'session', owner.userId, 'VALIDATION_ERROR'],
    ['retention.replace', 'session', viewer.userId, 'FORBIDDEN'],
    ['origins.replace', 'session', viewer.userId, 'FORBIDDEN'],
    ['ingest-key.revoke', 'session', owner.userId, 'done'],
    ['ingest-key.create', 'session', admin.userId, 'done'],
    ['retention.replace', 'session', admin.userId, 'done'],
    ['origins.replace', 'session', owner.userId, 'done'],
  ]);
});

const requests: [method: string, path: string, body?: object][] = [
  ['GET', 'origins'],
  ['PUT', 'origins', { origins: [] }],
  ['GET', 'retention'],
  ['PUT', 'retention', { traces: 1, logs: 1, metrics: 1 }],
  ['GET', 'outcomes'],
  ['GET', 'connection-status'],
];

test.each(requests)(
  '%s %s of another project’s environment is 404, and changes nothing',
  async (method, path, body) => {
    const [own, other] = [await newSender(stack()), await newSender(stack())];
    const rows = () => stack().sql`
    select environments.*, (select count(*) from environment_origins) as origins from environments
    where project_id in (${own.projectId}, ${other.projectId}) order by id`;
    const before = await rows();
    const strangers = [
      { projectId: own.projectId, environmentId: other.environmentId },
      { projectId: other.projectId, environmentId: own.environmentId },
      { projectId: other.projectId, environmentId: other.environmentId },
    ];
    for (const ids of strangers) {
      const response = await asMember(stack(), own, ids).send(method, path, body);
      expect([response.status, (await response.json()).error]).toEqual([404, 'NOT_FOUND']);
    }
    expect(await rows()).toEqual(before);
  },
);
