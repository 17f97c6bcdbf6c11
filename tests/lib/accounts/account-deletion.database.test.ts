import { expect, test } from 'vitest';
import {
  deleteAccount,
  deleteTenant,
  getAccountDeletion,
  getTenantDeletion,
} from '../../../lib/accounts/account-deletion.ts';
import { revokeAllKeys } from '../../../lib/accounts/revoke-keys.ts';
import { AccountDeletion } from '../../../lib/accounts/schemas.ts';
import type { Sql } from '../../../lib/db.ts';
import { inviteMember } from '../../../lib/projects/invitations.ts';
import { asOperator } from '../../../tooling/operator.ts';
import { addQueryToken } from '../../security/session.ts';
import { createTeam, expectFits, linesOf, outcomeOf, signIn } from '../../security/team.ts';
import { addApiKey, addMember, createPerson, createProject, createSite } from '../../security/tenant.ts';
import { useDatabase } from '../../services/database.ts';

const database = useDatabase();

/** A team whose owner has a second project, with a second owner. */
async function withTwoProjects() {
  const { sql } = database();
  const team = await createTeam(sql);
  const shared = await createProject(sql, { ...team.owner, token: '', cookie: '' }, 'owner');
  const heir = await signIn(sql, await addMember(sql, shared, 'owner'));
  return { sql, shared, heir, ...team };
}
const exists = async (userId: string) =>
  (await database().sql`select from users where id = ${userId}`).length > 0;

test('the projects of an only owner keep an account', async () => {
  const { sql, owner, admin, projectId, heir } = await withTwoProjects();
  await createSite(sql, projectId);
  const blocking = { projects: [{ id: projectId, name: 'Test', members: 3, sites: 2 }] };
  expectFits(AccountDeletion, blocking);
  expect(await getAccountDeletion(owner.ctx)).toEqual(blocking);
  expect(await getTenantDeletion(asOperator(sql), { email: owner.email.toUpperCase() })).toEqual(blocking);
  for (const { ctx } of [admin, heir]) expect(await getAccountDeletion(ctx)).toEqual({ projects: [] });
  expect(await outcomeOf(deleteAccount(owner.ctx))).toBe('CONFLICT');
  expect(await exists(owner.userId)).toBe(true);
  expect(await linesOf(sql, projectId)).toEqual([]);
  const second = await createProject(sql, { ...owner, token: '', cookie: '' }, 'owner');
  await sql`update projects set created_at = '2026-01-01T00:00:00Z' where id = ${second}`;
  expect((await getAccountDeletion(owner.ctx)).projects.map(({ id }) => id)).toEqual([second, projectId]);
});

test('an account goes with its keys, and each project notes that', async () => {
  const { sql, owner, shared, heir, projectId } = await withTwoProjects();
  await sql`update project_members set role = 'owner' where project_id = ${projectId}`;
  const { queryTokenId } = await addQueryToken(sql, owner.userId, { projectIds: [shared] });
  const [key] = await sql`select id from api_tokens where user_id = ${owner.userId}`;
  const { id } = await inviteMember(owner.ctx, { projectId: shared, role: 'viewer' });
  await deleteAccount(owner.ctx);
  expect(await exists(owner.userId)).toBe(false);
  const [left, revoked] = [`member.remove ${owner.userId} -`, `api-key.revoke ${key?.id} test`];
  expect(await linesOf(sql, projectId)).toEqual([left, revoked].toSorted());
  expect(await linesOf(sql, shared)).toEqual(
    [
      left,
      revoked,
      `query-token.revoke ${queryTokenId} test`,
      `member.invite ${id} -`,
      `member.uninvite ${id} -`,
    ].toSorted(),
  );
  expect(await sql`select user_id from project_members where project_id = ${shared}`).toEqual([
    { user_id: heir.userId },
  ]);
  expect(await outcomeOf(deleteAccount(owner.ctx))).toBe('UNAUTHORIZED');
});

test('the operator deletes a person with the projects that nobody else owns', async () => {
  const { sql, owner, shared, heir, projectId } = await withTwoProjects();
  const ctx = asOperator(sql);
  await deleteTenant(ctx, { email: owner.email.toUpperCase() });
  expect(await exists(owner.userId)).toBe(false);
  expect(await sql`select id from projects where id in (${projectId}, ${shared})`).toEqual([{ id: shared }]);
  expect(await linesOf(sql, shared)).toContain(`member.remove ${owner.userId} -`);
  expect(await exists(heir.userId)).toBe(true);
  for (const call of [deleteTenant, getTenantDeletion])
    await expect(call(ctx, { email: owner.email })).rejects.toMatchObject({
      code: 'NOT_FOUND',
      message: 'No such account.',
    });
});

test('an operator repeats what somebody hindered who made the person an owner meanwhile', async () => {
  const { sql, owner, shared } = await withTwoProjects();
  const meanwhile = (async (statements: Parameters<Sql['transaction']>[0]) => {
    await sql`delete from project_members where project_id = ${shared} and user_id <> ${owner.userId}`;
    return sql.transaction(statements);
  }) as Sql['transaction'];
  const ctx = asOperator(Object.assign(sql.bind(undefined), { transaction: meanwhile }) as Sql);
  expect(await outcomeOf(deleteTenant(ctx, { email: owner.email }))).toBe('CONFLICT');
  expect([await exists(owner.userId), await linesOf(sql, shared)]).toEqual([true, []]);
  expect(await outcomeOf(deleteTenant(asOperator(sql), { email: owner.email }))).toBe('done');
  expect(await sql`select from projects where id = ${shared}`).toEqual([]);
});

test('a person revokes all of their keys at once', async () => {
  const { sql, owner, shared, heir, siteId, projectId } = await withTwoProjects();
  await addApiKey(sql, owner, { siteIds: [siteId] });
  await addQueryToken(sql, owner.userId);
  await addQueryToken(sql, heir.userId);
  const mine = await inviteMember(owner.ctx, { projectId: shared, role: 'viewer' });
  const theirs = await inviteMember(heir.ctx, { projectId: shared, role: 'viewer' });
  await sql`delete from audit_log where project_id in (${projectId}, ${shared})`;
  await revokeAllKeys(owner.ctx);
  const kept = await sql`
    select user_id from api_tokens where revoked_at is null and user_id in (${owner.userId}, ${heir.userId})
    union all select user_id from query_tokens where revoked_at is null and user_id in (${owner.userId}, ${heir.userId})`;
  expect(kept).toEqual([{ user_id: heir.userId }, { user_id: heir.userId }]);
  expect(await sql`select id from project_invitations where project_id = ${shared}`).toEqual([
    { id: theirs.id },
  ]);
  const actionsOf = async (id: string) =>
    (await linesOf(sql, id)).map((line) => line.replace(/ [\da-f-]{36} /, ' ')).toSorted();
  expect(await actionsOf(projectId)).toEqual([
    'api-key.revoke narrow',
    'api-key.revoke test',
    'query-token.revoke test',
  ]);
  expect(await actionsOf(shared)).toEqual([
    'api-key.revoke test',
    'member.uninvite -',
    'query-token.revoke test',
  ]);
  expect(await linesOf(sql, shared)).toContain(`member.uninvite ${mine.id} -`);
  await revokeAllKeys(owner.ctx);
  expect(await actionsOf(projectId)).toHaveLength(3);
});

test('of two owners who go at the same time one stays', async () => {
  const { sql } = database();
  const pairs = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const { owner, projectId } = await createTeam(sql);
      return [owner, await signIn(sql, await addMember(sql, projectId, 'owner'))];
    }),
  );
  const outcomes = await Promise.all(
    pairs.map((pair) => Promise.all(pair.map(({ ctx }) => outcomeOf(deleteAccount(ctx))))),
  );
  expect(outcomes.map((pair) => pair.toSorted())).toEqual(Array(8).fill(['CONFLICT', 'done']));
});

test('a person without a project goes without a trace', async () => {
  const { ctx, userId } = await signIn(database().sql, await createPerson(database().sql));
  expect(await getAccountDeletion(ctx)).toEqual({ projects: [] });
  expect(await outcomeOf(deleteAccount(ctx))).toBe('done');
  expect(await exists(userId)).toBe(false);
});
