import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { createEnvironment } from '../../../lib/projects/environments.ts';
import { findIngestKey } from '../../../lib/projects/find-ingest-key.ts';
import { createIngestKey, listIngestKeys, revokeIngestKey } from '../../../lib/projects/ingest-keys.ts';
import { CreatedIngestKey, IngestKey } from '../../../lib/projects/schemas.ts';
import { hashToken, isToken } from '../../../lib/tokens.ts';
import {
  createTeam,
  endSessions,
  expectFits,
  linesOf,
  MANAGERS_MAY,
  MEMBERS_MAY,
  outcomeOf,
  outcomesOf,
} from '../../security/team.ts';
import { removeFrom } from '../../security/tenant.ts';
import { useDatabase } from '../../services/database.ts';

const database = useDatabase();

async function withEnvironment() {
  const { sql } = database();
  const team = await createTeam(sql);
  const { projectId } = team;
  const { id: environmentId } = await createEnvironment(team.owner.ctx, { projectId, name: 'production' });
  await sql`delete from audit_log where project_id = ${projectId}`;
  return { sql, team, environment: { projectId, environmentId } };
}

test('managers make keys, and members see who made them', async () => {
  const { sql, team, environment } = await withEnvironment();
  const { owner, admin, viewer } = team;
  const make = { ...environment, name: 'api', outcomes: false };
  expect(await outcomesOf(team, ({ ctx }) => listIngestKeys(ctx, environment))).toEqual(MEMBERS_MAY);
  expect(await listIngestKeys(viewer.ctx, environment)).toEqual([]);
  expect(await outcomesOf(team, ({ ctx }) => createIngestKey(ctx, make))).toEqual(MANAGERS_MAY);
  const before = await listIngestKeys(viewer.ctx, environment);
  const { key, ...made } = await createIngestKey(owner.ctx, { ...make, name: 'worker', outcomes: true });
  expectFits(CreatedIngestKey, { ...made, key });
  expectFits(IngestKey, made);
  expect(isToken('ving', key)).toBe(true);
  expect(made).toEqual({
    ...{ id: expect.any(String), name: 'worker', outcomes: true, lastUsedAt: null },
    createdAt: expect.stringMatching(/^\d{4}-.+Z$/),
    createdBy: { userId: owner.userId, name: 'owner', isMember: true },
  });
  expect(await listIngestKeys(viewer.ctx, environment)).toEqual([...before, made]);
  expect(before).toMatchObject([
    { name: 'api', outcomes: false, createdBy: { name: 'admin' } },
    { name: 'api', outcomes: false, createdBy: { name: 'owner' } },
  ]);
  expect(await linesOf(sql, environment.projectId)).toEqual(
    [...before, made].map(({ id, name }) => `ingest-key.create ${id} ${name}`).toSorted(),
  );
  await sql`update ingest_keys set created_at = '2026-01-02T03:04:05Z', last_used_at = '2026-02-03T04:05:06Z', created_by = null where id = ${made.id}`;
  await removeFrom(sql, environment.projectId, { ...admin, token: '', cookie: '' });
  expect(await listIngestKeys(viewer.ctx, environment)).toMatchObject([
    {
      id: made.id,
      createdAt: '2026-01-02T03:04:05.000Z',
      lastUsedAt: '2026-02-03T04:05:06.000Z',
      createdBy: null,
    },
    { createdBy: { name: 'admin', isMember: false } },
    { createdBy: { name: 'owner', isMember: true } },
  ]);
});

test('a key is found by its hash, notes its use once a minute, and ends when it is revoked', async () => {
  const { sql, team, environment } = await withEnvironment();
  const { ctx } = team.owner;
  const { key, id } = await createIngestKey(ctx, { ...environment, name: 'api', outcomes: true });
  const hash = await hashToken(key);
  const find = () => findIngestKey({ sql }, hash);
  const [row] = await sql`select key from environments where id = ${environment.environmentId}`;
  expect(await find()).toEqual({
    ...{ kind: 'ingestKey', keyId: id, ...environment, environmentKey: row?.key, outcomes: true },
  });
  const used = async () => (await listIngestKeys(ctx, environment))[0]?.lastUsedAt;
  const setUsed = (seconds: number) =>
    sql`update ingest_keys set last_used_at = now() - make_interval(secs => ${seconds}) where id = ${id}`;
  expect(await used()).toEqual(expect.any(String));
  await setUsed(55);
  const recent = await used();
  await find();
  expect(await used()).toBe(recent);
  await setUsed(65);
  const old = await used();
  await find();
  expect(await used()).not.toBe(old);

  await sql`delete from audit_log where project_id = ${environment.projectId}`;
  const revoke = { ...environment, ingestKeyId: id };
  expect(await outcomesOf(team, ({ ctx: caller }) => revokeIngestKey(caller, revoke))).toEqual({
    ...{ ...MANAGERS_MAY, owner: 'NOT_FOUND' },
  });
  expect(await find()).toBeUndefined();
  expect(await listIngestKeys(ctx, environment)).toEqual([]);
  expect(await linesOf(sql, environment.projectId)).toEqual([`ingest-key.revoke ${id} api`]);
  expect(await findIngestKey({ sql }, await hashToken('no key'))).toBeUndefined();
});

test('keys and environments are found only where they belong', async () => {
  const { team, environment } = await withEnvironment();
  const { team: other, environment: theirs } = await withEnvironment();
  const { ctx } = team.owner;
  const { projectId } = environment;
  const second = { projectId, environmentId: (await createEnvironment(ctx, { projectId, name: 'test' })).id };
  const make = { name: 'api', outcomes: false };
  const { id: ingestKeyId } = await createIngestKey(ctx, { ...environment, ...make });
  const messageOf = (call: Promise<unknown>) => call.then(String, ({ message }) => message);
  expect(await messageOf(revokeIngestKey(ctx, { ...second, ingestKeyId }))).toBe('No such ingest key.');
  expect(await messageOf(revokeIngestKey(other.owner.ctx, { ...theirs, ingestKeyId }))).toBe(
    'No such ingest key.',
  );
  for (const wrong of [
    { ...theirs, projectId },
    { ...environment, projectId: theirs.projectId },
    { projectId, environmentId: randomUUID() },
  ]) {
    const calls = [
      listIngestKeys(ctx, wrong),
      createIngestKey(ctx, { ...wrong, ...make }),
      revokeIngestKey(ctx, { ...wrong, ingestKeyId }),
    ];
    expect(await Promise.all(calls.map(messageOf))).toEqual(Array(3).fill('No such environment.'));
  }
  expect(await listIngestKeys(ctx, environment)).toHaveLength(1);
});

test('an environment has at most 100 keys that aren’t revoked', async () => {
  const { sql, team, environment } = await withEnvironment();
  await sql`
    insert into ingest_keys (environment_id, name, outcomes, hash, revoked_at)
    select ${environment.environmentId}, n::text, false, sha256(gen_random_uuid()::text::bytea), case when n > 99 then now() end
    from generate_series(1, 110) n`;
  const make = () =>
    outcomeOf(createIngestKey(team.owner.ctx, { ...environment, name: 'k', outcomes: false }));
  expect([await make(), await make()]).toEqual(['done', 'CONFLICT']);
  expect(await listIngestKeys(team.owner.ctx, environment)).toHaveLength(100);
});

test('a session that has ended makes no key', async () => {
  const { sql, team, environment } = await withEnvironment();
  await endSessions(sql, team.owner);
  expect(
    await outcomeOf(createIngestKey(team.owner.ctx, { ...environment, name: 'k', outcomes: false })),
  ).toBe('UNAUTHORIZED');
  expect(await listIngestKeys(team.admin.ctx, environment)).toEqual([]);
  expect(await linesOf(sql, environment.projectId)).toEqual([]);
});
