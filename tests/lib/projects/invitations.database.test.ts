import { randomBytes, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { DomainError } from '../../../lib/errors.ts';
import type { Mail } from '../../../lib/mail.ts';
import {
  inviteMember,
  joinProject,
  listInvitations,
  previewInvitation,
  revokeInvitation,
} from '../../../lib/projects/invitations.ts';
import { getProject } from '../../../lib/projects/projects.ts';
import { CreatedInvitation, Invitation, InvitationPreview } from '../../../lib/projects/schemas.ts';
import type { Role } from '../../../lib/roles.ts';
import { hashToken } from '../../../lib/tokens.ts';
import {
  ageSessions,
  createTeam,
  endSessions,
  expectFits,
  linesOf,
  MANAGERS_MAY,
  MEMBERS_MAY,
  OWNERS_MAY,
  outcomeOf,
  outcomesOf,
  type SignedPerson,
  signIn,
} from '../../security/team.ts';
import { createPerson } from '../../security/tenant.ts';
import { useDatabase } from '../../services/database.ts';

const database = useDatabase();

const WEEK_MS = 7 * 24 * 60 * 60 * 1000;

/** An invitation's id, its secret, and what lists show of it. */
async function invite({ ctx }: SignedPerson, projectId: string, role: Role = 'viewer') {
  const { url, ...listed } = await inviteMember(ctx, { projectId, role });
  return { id: listed.id, secret: url.split('#')[1] ?? '', listed };
}
const newcomer = async () => signIn(database().sql, await createPerson(database().sql));

test('only the invitation of an owner takes a fresh proof', async () => {
  const { sql } = database();
  const { owner, projectId } = await createTeam(sql);
  await ageSessions(sql, owner);
  for (const role of ['viewer', 'admin'] as const)
    expect((await inviteMember(owner.ctx, { projectId, role })).url).toContain('#');
  await expect(inviteMember(owner.ctx, { projectId, role: 'owner' })).rejects.toMatchObject({
    code: 'FORBIDDEN',
  });
});

test('an invitation is a link for a week, and only its hash is kept', async () => {
  const { sql } = database();
  const { admin, projectId } = await createTeam(sql);
  const now = Date.now();
  const { url, ...listed } = await inviteMember(
    { ...admin.ctx, now: () => now },
    { projectId, role: 'admin' },
  );
  expect(url).toMatch(/^https:\/\/vendor\.example\/join#[A-Za-z0-9_-]{43}$/);
  const [row] = await sql`
    select id, encode(hash, 'hex') as hash, created_by, created_at from project_invitations where project_id = ${projectId}`;
  const secret = url.split('#')[1] ?? '';
  expect(row).toMatchObject({ hash: await hashToken(secret), created_by: admin.userId });
  const expiresAt = new Date(now + WEEK_MS).toISOString();
  expect(listed).toEqual({ id: row?.id, role: 'admin', createdAt: row?.created_at.toISOString(), expiresAt });
  expectFits(CreatedInvitation, { ...listed, url });
  expectFits(Invitation, listed);
  expectFits(InvitationPreview, await previewInvitation({ sql }, { secret }));
  expect(await listInvitations(admin.ctx, { projectId })).toEqual([listed]);
  expect(await previewInvitation({ sql }, { secret })).toEqual({
    projectName: 'Test',
    role: 'admin',
    expiresAt,
  });
  expect(await linesOf(sql, projectId)).toEqual([`member.invite ${row?.id} -`]);
});

test('managers invite, owners invite owners, and members see what is open', async () => {
  const { sql } = database();
  const team = await createTeam(sql);
  const { projectId } = team;
  const inviting = (role: Role) => outcomesOf(team, (person) => invite(person, projectId, role));
  expect(await inviting('viewer')).toEqual(MANAGERS_MAY);
  expect(await inviting('admin')).toEqual(MANAGERS_MAY);
  expect(await inviting('owner')).toEqual(OWNERS_MAY);
  await expect(invite(team.admin, projectId, 'owner')).rejects.toMatchObject({
    message: expect.stringContaining('Only owners'),
  });
  const list = async () => (await listInvitations(team.viewer.ctx, { projectId })).map(({ role }) => role);
  expect(await outcomesOf(team, ({ ctx }) => listInvitations(ctx, { projectId }))).toEqual(MEMBERS_MAY);
  expect(await list()).toEqual(['viewer', 'viewer', 'admin', 'admin', 'owner']);
  const setRole = (role: Role, { userId }: SignedPerson) =>
    sql`update project_members set role = ${role} where user_id = ${userId} and project_id = ${projectId}`;
  await setRole('viewer', team.admin);
  expect(await list()).toEqual(['viewer', 'admin', 'owner']);
  await setRole('admin', team.owner);
  expect(await list()).toEqual(['viewer', 'admin']);
  await sql`update project_invitations set expires_at = now() - interval '1 second' where role = 'admin'`;
  expect(await list()).toEqual(['viewer']);
  await sql`delete from project_invitations where project_id = ${projectId}`;
  expect(await list()).toEqual([]);
});

test('an invitation for an address is mailed, and taken back if the mail isn’t sent', async () => {
  const { sql } = database();
  const { owner, projectId } = await createTeam(sql);
  const mails: Mail[] = [];
  const ctx = { ...owner.ctx, sendInvitation: async (mail: Mail) => void mails.push(mail) };
  await inviteMember(ctx, { projectId, role: 'viewer' });
  expect(mails).toEqual([]);
  const { url } = await inviteMember(ctx, { projectId, role: 'viewer', email: 'ada@example.com' });
  await inviteMember({ ...ctx, language: 'es' }, { projectId, role: 'viewer', email: 'bo@example.com' });
  expect(mails).toMatchObject([
    { to: 'ada@example.com', subject: 'An invitation to a project', text: expect.stringContaining('7 days') },
    { to: 'bo@example.com', text: expect.stringContaining('7 días') },
  ]);
  expect(mails[0]?.text).toContain(`\n${url}\n`);
  const open = await listInvitations(owner.ctx, { projectId });
  const refusal = new DomainError('RATE_LIMITED', 'Too many mails.');
  const refusing = { ...ctx, sendInvitation: () => Promise.reject(refusal) };
  await expect(inviteMember(refusing, { projectId, role: 'viewer', email: 'ada@example.com' })).rejects.toBe(
    refusal,
  );
  expect(await listInvitations(owner.ctx, { projectId })).toEqual(open);
  expect((await linesOf(sql, projectId)).filter((line) => line.startsWith('member.uninvite'))).toHaveLength(
    1,
  );
});

test('a project has at most 100 open invitations, and expired ones go', async () => {
  const { sql } = database();
  const { owner, projectId } = await createTeam(sql);
  await sql`
    insert into project_invitations (project_id, role, hash, created_by, expires_at)
    select ${projectId}, 'viewer', sha256(gen_random_uuid()::text::bytea), ${owner.userId},
      now() + make_interval(hours => case when n > 99 then -1 else 1 end) from generate_series(1, 105) n`;
  const call = () => outcomeOf(invite(owner, projectId));
  expect([await call(), await call()]).toEqual(['done', 'CONFLICT']);
  expect(await sql`select from project_invitations where project_id = ${projectId}`).toHaveLength(100);
});

test('a session that has ended invites nobody', async () => {
  const { sql } = database();
  const { owner, admin, projectId } = await createTeam(sql);
  await endSessions(sql, owner);
  expect(await outcomeOf(invite(owner, projectId))).toBe('UNAUTHORIZED');
  expect(await listInvitations(admin.ctx, { projectId })).toEqual([]);
});

test('managers take invitations of their project back', async () => {
  const { sql } = database();
  const team = await createTeam(sql);
  const { projectId, owner } = team;
  const { id: invitationId, secret } = await invite(owner, projectId);
  const kept = await invite(owner, projectId);
  const other = await createTeam(sql);
  const elsewhere = { projectId: other.projectId, invitationId };
  await expect(revokeInvitation(other.owner.ctx, elsewhere)).rejects.toMatchObject({
    ...{ code: 'NOT_FOUND', message: 'No such invitation.' },
  });
  expect(await outcomesOf(team, ({ ctx }) => revokeInvitation(ctx, { projectId, invitationId }))).toEqual({
    ...{ ...MANAGERS_MAY, owner: 'NOT_FOUND' },
  });
  expect(await outcomeOf(previewInvitation({ sql }, { secret }))).toBe('NOT_FOUND');
  expect(await listInvitations(owner.ctx, { projectId })).toEqual([kept.listed]);
  expect(await linesOf(sql, projectId)).toContain(`member.uninvite ${invitationId} -`);
  expect(await outcomeOf(revokeInvitation(owner.ctx, { projectId: randomUUID(), invitationId }))).toBe(
    'NOT_FOUND',
  );
});

test('whoever has the link joins once', async () => {
  const { sql } = database();
  const { projectId, owner } = await createTeam(sql);
  const { secret } = await invite(owner, projectId, 'admin');
  const other = await invite(owner, projectId);
  const [first, second] = [await newcomer(), await newcomer()];
  const joined = await joinProject(first.ctx, { secret });
  expect(joined).toEqual(await getProject(first.ctx, { projectId }));
  expect(joined).toMatchObject({ id: projectId, role: 'admin' });
  expect(await linesOf(sql, projectId)).toContain(`member.join ${first.userId} -`);
  expect(await outcomeOf(previewInvitation({ sql }, { secret }))).toBe('NOT_FOUND');
  expect(await outcomeOf(joinProject(second.ctx, { secret }))).toBe('NOT_FOUND');
  expect(await listInvitations(owner.ctx, { projectId })).toEqual([other.listed]);
});

test('members and people with 100 projects don’t use an invitation up', async () => {
  const { sql } = database();
  const { projectId, owner, viewer } = await createTeam(sql);
  const { secret } = await invite(owner, projectId, 'owner');
  await expect(joinProject(viewer.ctx, { secret })).rejects.toMatchObject({
    ...{ code: 'CONFLICT', message: expect.stringContaining('a member') },
  });
  const busy = await newcomer();
  await sql`
    with made as (insert into projects (name) select 'one' from generate_series(1, 100) returning id)
    insert into project_members (project_id, user_id, role) select id, ${busy.userId}, 'viewer' from made`;
  await expect(joinProject(busy.ctx, { secret })).rejects.toMatchObject({
    ...{ code: 'CONFLICT', message: expect.stringContaining('at most 100 projects') },
  });
  expect(
    await sql`select role from project_members where project_id = ${projectId} and user_id = ${viewer.userId}`,
  ).toEqual([{ role: 'viewer' }]);
  expect(await linesOf(sql, projectId)).toHaveLength(1);
  await sql`delete from project_members where ctid in (select ctid from project_members where user_id = ${busy.userId} limit 1)`;
  expect(await joinProject(busy.ctx, { secret })).toMatchObject({ role: 'owner' });
});

test.each<[string, (projectId: string, makerId: string) => PromiseLike<unknown>]>([
  [
    'that has expired',
    (projectId) =>
      database()
        .sql`update project_invitations set expires_at = now() - interval '1 second' where project_id = ${projectId}`,
  ],
  [
    'of somebody who is a viewer now',
    (projectId, makerId) =>
      database()
        .sql`update project_members set role = 'viewer' where project_id = ${projectId} and user_id = ${makerId}`,
  ],
  [
    'of somebody who left',
    (projectId, makerId) =>
      database().sql`delete from project_members where project_id = ${projectId} and user_id = ${makerId}`,
  ],
])('an invitation %s opens nothing', async (_, change) => {
  const { sql } = database();
  const { projectId, admin } = await createTeam(sql);
  const { secret } = await invite(admin, projectId);
  const { ctx } = await newcomer();
  await previewInvitation({ sql }, { secret });
  await change(projectId, admin.userId);
  const messageOf = (call: Promise<unknown>) =>
    call.then(String, ({ code, message }) => `${code} ${message}`);
  const calls = [secret, randomBytes(32).toString('base64url')].flatMap((link) => [
    previewInvitation({ sql }, { secret: link }),
    joinProject(ctx, { secret: link }),
  ]);
  expect(await Promise.all(calls.map(messageOf))).toEqual(Array(4).fill('NOT_FOUND No such invitation.'));
});
