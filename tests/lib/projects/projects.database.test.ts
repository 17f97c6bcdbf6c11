import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import {
  createProject,
  deleteProject,
  getProject,
  listProjects,
  renameProject,
} from '../../../lib/projects/projects.ts';
import { Project } from '../../../lib/projects/schemas.ts';
import {
  ageSessions,
  createTeam,
  expectFits,
  linesOf,
  MANAGERS_MAY,
  MEMBERS_MAY,
  OWNERS_MAY,
  outcomeOf,
  outcomesOf,
  signIn,
} from '../../security/team.ts';
import { createPerson } from '../../security/tenant.ts';
import { useDatabase } from '../../services/database.ts';

const database = useDatabase();

test('who creates a project owns it, with the environment production', async () => {
  const { sql } = database();
  const { ctx } = await signIn(sql, await createPerson(sql));
  expect(await listProjects(ctx)).toEqual([]);
  const made = await createProject(ctx, { name: 'Lamps' });
  const [row] = await sql`select created_at from projects where id = ${made.id}`;
  expect(made).toEqual({
    ...{ id: expect.any(String), name: 'Lamps', role: 'owner', createdAt: row?.created_at.toISOString() },
  });
  expectFits(Project, made);
  expect(await getProject(ctx, { projectId: made.id })).toEqual(made);
  const second = await createProject(ctx, { name: 'Ladders' });
  await sql`update projects set created_at = created_at - interval '1 day' where id = ${second.id}`;
  expect((await listProjects(ctx)).map(({ name }) => name)).toEqual(['Ladders', 'Lamps']);
  expect(await sql`select name from environments where project_id = ${made.id}`).toEqual([
    { name: 'production' },
  ]);
  expect(await linesOf(sql, made.id)).toEqual([`project.create ${made.id} Lamps`]);
});

test('members read a project, managers rename it, owners delete it', async () => {
  const { sql } = database();
  const team = await createTeam(sql);
  const { projectId } = team;
  expect(await outcomesOf(team, ({ ctx }) => getProject(ctx, { projectId }))).toEqual(MEMBERS_MAY);
  expect(await outcomesOf(team, ({ ctx }) => renameProject(ctx, { projectId, name: 'New' }))).toEqual(
    MANAGERS_MAY,
  );
  const renamed = await renameProject(team.admin.ctx, { projectId, name: 'Newer' });
  expect(renamed).toEqual({ ...(await getProject(team.owner.ctx, { projectId })), role: 'admin' });
  expect(renamed).toMatchObject({ id: projectId, name: 'Newer' });
  expect(await listProjects(team.viewer.ctx)).toEqual([{ ...renamed, role: 'viewer' }]);
  expect(await linesOf(sql, projectId)).toEqual(
    ['New', 'New', 'Newer'].map((name) => `project.rename ${projectId} ${name}`),
  );

  expect(await outcomesOf(team, ({ ctx }) => deleteProject(ctx, { projectId }))).toEqual(OWNERS_MAY);
  expect(await sql`select from projects where id = ${projectId}`).toEqual([]);
  expect(await outcomeOf(getProject(team.owner.ctx, { projectId }))).toBe('NOT_FOUND');
  expect(await outcomeOf(deleteProject(team.owner.ctx, { projectId: randomUUID() }))).toBe('NOT_FOUND');
  expect(await listProjects(team.stranger.ctx)).toHaveLength(1);
});

test('deleting a project takes a fresh proof', async () => {
  const { sql } = database();
  const { owner, projectId } = await createTeam(sql);
  await ageSessions(sql, owner);
  expect(await outcomeOf(deleteProject(owner.ctx, { projectId }))).toBe('FORBIDDEN');
  expect(await getProject(owner.ctx, { projectId })).toMatchObject({ id: projectId });
});

test('a person has at most 100 projects', async () => {
  const { sql } = database();
  const { ctx, userId } = await signIn(sql, await createPerson(sql));
  await sql`
    with made as (insert into projects (name) select 'one' from generate_series(1, 99) returning id)
    insert into project_members (project_id, user_id, role) select id, ${userId}, 'viewer' from made`;
  expect(await outcomeOf(createProject(ctx, { name: 'last' }))).toBe('done');
  expect(await outcomeOf(createProject(ctx, { name: 'more' }))).toBe('CONFLICT');
  expect(await listProjects(ctx)).toHaveLength(100);
});
