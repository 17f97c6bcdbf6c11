import { expect, test } from 'vitest';
import { changeMember, listMembers, removeMember } from '../../../lib/projects/members.ts';
import { Member } from '../../../lib/projects/schemas.ts';
import {
  ageSessions,
  createTeam,
  expectFits,
  linesOf,
  MEMBERS_MAY,
  outcomeOf,
  outcomesOf,
  signIn,
  type Team,
  type Who,
} from '../../security/team.ts';
import { addMember, type Role } from '../../security/tenant.ts';
import { useDatabase } from '../../services/database.ts';

const database = useDatabase();

const LAST_OWNER = 'CONFLICT A project must have an owner.';
const ONLY_READS = 'FORBIDDEN You may only read here';
const NO_PROJECT = 'NOT_FOUND No such project.';
const NO_MEMBER = 'NOT_FOUND No such member.';
const OWNERS = 'FORBIDDEN Only owners change owners of this project.';

const roleOf = async ({ projectId, ...team }: Team, who: Who) => {
  const [row] = await database().sql`
    select role from project_members where project_id = ${projectId} and user_id = ${team[who].userId}`;
  return row?.role as Role | undefined;
};

/** `done`, or the code and the message. */
const answerOf = (call: Promise<void>) =>
  call.then(
    () => 'done',
    (error) => `${error.code} ${error.message}`,
  );

async function withOwners(owners = 1): Promise<Team> {
  const { sql } = database();
  const team = await createTeam(sql);
  if (owners === 2) await addMember(sql, team.projectId, 'owner');
  return team;
}

test('members see all members, oldest first', async () => {
  const { sql } = database();
  const team = await createTeam(sql);
  const { projectId, admin } = team;
  expect(await outcomesOf(team, ({ ctx }) => listMembers(ctx, { projectId }))).toEqual(MEMBERS_MAY);
  await sql`update project_members set created_at = '2026-01-02T03:04:05Z' where user_id = ${admin.userId}`;
  const members = await listMembers(team.viewer.ctx, { projectId });
  expect(members.map(({ name }) => name)).toEqual(['admin', 'owner', 'viewer']);
  expectFits(Member, members[0]);
  expect(members[0]).toEqual({
    ...{ userId: admin.userId, email: admin.email, name: 'admin', role: 'admin' },
    createdAt: '2026-01-02T03:04:05.000Z',
  });
});

test.each<[Who, Who, Role, string, owners?: 2]>([
  ['owner', 'viewer', 'admin', 'done'],
  ['owner', 'viewer', 'owner', 'done'],
  ['owner', 'admin', 'viewer', 'done'],
  ['owner', 'owner', 'owner', 'done'],
  ['owner', 'owner', 'admin', LAST_OWNER],
  ['owner', 'owner', 'admin', 'done', 2],
  ['owner', 'stranger', 'viewer', NO_MEMBER],
  ['admin', 'viewer', 'admin', 'done'],
  ['admin', 'admin', 'viewer', 'done'],
  ['admin', 'viewer', 'owner', 'FORBIDDEN Only owners make owners.'],
  ['admin', 'owner', 'viewer', OWNERS],
  ['admin', 'owner', 'viewer', OWNERS, 2],
  ['viewer', 'viewer', 'admin', ONLY_READS],
  ['viewer', 'admin', 'viewer', ONLY_READS],
  ['stranger', 'viewer', 'admin', NO_PROJECT],
])('%s makes %s %s: %s', async (caller, changed, role, answer, owners) => {
  const { sql } = database();
  const team = await withOwners(owners);
  const { projectId } = team;
  const { userId } = team[changed];
  const before = await roleOf(team, changed);
  expect(await answerOf(changeMember(team[caller].ctx, { projectId, userId, role }))).toContain(answer);
  const isDone = answer === 'done';
  expect(await roleOf(team, changed)).toBe(isDone ? role : before);
  expect(await linesOf(sql, projectId)).toEqual(isDone ? [`member.change ${userId} -`] : []);
});

test.each<[Who, Who, string, owners?: 2]>([
  ['owner', 'viewer', 'done'],
  ['owner', 'admin', 'done'],
  ['owner', 'owner', LAST_OWNER],
  ['owner', 'owner', 'done', 2],
  ['owner', 'stranger', NO_MEMBER],
  ['admin', 'viewer', 'done'],
  ['admin', 'admin', 'done'],
  ['admin', 'owner', OWNERS, 2],
  ['viewer', 'viewer', 'done'],
  ['viewer', 'admin', ONLY_READS],
  ['stranger', 'viewer', NO_PROJECT],
  ['stranger', 'stranger', NO_PROJECT],
])('%s removes %s: %s', async (caller, removed, answer, owners) => {
  const { sql } = database();
  const team = await withOwners(owners);
  const { projectId } = team;
  const { userId } = team[removed];
  const before = await roleOf(team, removed);
  expect(await answerOf(removeMember(team[caller].ctx, { projectId, userId }))).toContain(answer);
  const isDone = answer === 'done';
  expect(await roleOf(team, removed)).toBe(isDone ? undefined : before);
  expect(await linesOf(sql, projectId)).toEqual(isDone ? [`member.remove ${userId} -`] : []);
});

test.each(['change', 'remove'])(
  '%s ends the invitations that the member made, and no others',
  async (how) => {
    const { sql } = database();
    const { projectId, admin, owner, stranger } = await createTeam(sql);
    const [other] =
      await sql`select project_id as id from project_members where user_id = ${stranger.userId}`;
    for (const [project, { userId }] of [
      [projectId, admin],
      [projectId, owner],
      [other?.id, admin],
    ] as const)
      await sql`
      insert into project_invitations (project_id, role, hash, created_by, expires_at)
      values (${project}, 'viewer', sha256(gen_random_uuid()::text::bytea), ${userId}, now() + interval '1 hour')`;
    const member = { projectId, userId: admin.userId };
    await (how === 'change'
      ? changeMember(owner.ctx, { ...member, role: 'viewer' })
      : removeMember(owner.ctx, member));
    const left = await sql`
    select project_id, created_by from project_invitations where project_id in (${projectId}, ${other?.id})`;
    expect(left).toHaveLength(2);
    expect(left).toEqual(
      expect.arrayContaining([
        { project_id: projectId, created_by: owner.userId },
        { project_id: other?.id, created_by: admin.userId },
      ]),
    );
  },
);

test('only making an owner takes a fresh proof', async () => {
  const { sql } = database();
  const { projectId, owner, viewer } = await createTeam(sql);
  await ageSessions(sql, owner);
  const make = (role: Role) => outcomeOf(changeMember(owner.ctx, { projectId, userId: viewer.userId, role }));
  expect([await make('owner'), await make('admin'), await make('viewer')]).toEqual([
    'FORBIDDEN',
    'done',
    'done',
  ]);
});

test.each(['change', 'remove'])('of two owners who %s themselves at the same time one stays', async (how) => {
  const { sql } = database();
  const pairs = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const { owner, projectId } = await createTeam(sql);
      const other = await signIn(sql, await addMember(sql, projectId, 'owner'));
      return [owner, other].map(({ ctx, userId }) => ({ ctx, member: { projectId, userId } }));
    }),
  );
  const leave = ({ ctx, member }: (typeof pairs)[number][number]) =>
    how === 'change' ? changeMember(ctx, { ...member, role: 'admin' }) : removeMember(ctx, member);
  const outcomes = await Promise.all(
    pairs.map((pair) => Promise.all(pair.map((one) => outcomeOf(leave(one))))),
  );
  expect(outcomes.map((pair) => pair.toSorted())).toEqual(Array(8).fill(['CONFLICT', 'done']));
});
