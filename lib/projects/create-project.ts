import type { SessionContext } from '../context.ts';
import { reach } from '../db.ts';
import { DomainError } from '../errors.ts';
import { type ProjectRow, toProject } from './project.ts';
import type { NewProject, Project } from './schemas.ts';

const MAX_PROJECTS_A_PERSON = 100;

/**
 * Makes a project that the caller owns, with the environment `production`. Throws `CONFLICT` for who is a member of as many as
 * there may be; counts them by the primary key of `project_members`.
 */
export async function createProject(ctx: SessionContext, { name }: NewProject): Promise<Project> {
  const { userId } = ctx.actor;
  const rows = await reach(ctx.sql`
    with project as (
      insert into projects (name) select ${name}
      where (select count(*) from project_members where user_id = ${userId}) < ${MAX_PROJECTS_A_PERSON}
      returning id, name, created_at
    ), membership as (
      insert into project_members (project_id, user_id, role) select id, ${userId}::uuid, 'owner' from project
    ), environment as (
      insert into environments (project_id, name) select id, 'production' from project
    )
    select id, name, 'owner' as role, created_at from project
  `);
  const [row] = rows as ProjectRow[];
  if (row === undefined)
    throw new DomainError('CONFLICT', `A person has at most ${MAX_PROJECTS_A_PERSON} projects. Leave one.`);
  return toProject(row);
}
