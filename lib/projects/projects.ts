/** Projects: members create, read, rename and delete them. */

import { memberProject, OWNERS, requireRole, requireWritten } from '../access.ts';
import { requireProof } from '../accounts/proofs.ts';
import type { ProjectContext } from '../audit.ts';
import { insertProjectAudit } from '../audit.ts';
import type { SessionContext } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import { inTurn, turnOfPerson } from '../turns.ts';
import { hasRoomForProject, type ProjectRow, tooManyProjects, toProject } from './project.ts';
import type { CreateProject, OneProject, Project, RenameProject } from './schemas.ts';

/** The projects that the caller is a member of, oldest first. Uses the primary key of `project_members`. */
export async function listProjects(ctx: SessionContext): Promise<Project[]> {
  const rows = await reach(ctx.sql`
    select projects.id, projects.name, member.role, projects.created_at
    from project_members member join projects on projects.id = member.project_id
    where member.user_id = ${ctx.actor.userId}
    order by projects.created_at, projects.id
  `);
  return (rows as ProjectRow[]).map(toProject);
}

/** One project that the caller is a member of. Throws `NOT_FOUND`. Uses primary keys. */
export async function getProject(ctx: SessionContext, { projectId }: OneProject): Promise<Project> {
  const rows = await reach(ctx.sql`
    select projects.id, projects.name, target.role, projects.created_at
    from (${memberProject(ctx, projectId)}) target join projects on projects.id = target.id
  `);
  const [row] = rows as ProjectRow[];
  if (row === undefined) throw notFound('project');
  return toProject(row);
}

/**
 * Creates a project that the caller owns, with the environment `production`. Throws `CONFLICT` if the caller is a member of the maximum
 * number of projects. Counts them by the primary key of `project_members`.
 */
export async function createProject(ctx: ProjectContext, { name }: CreateProject): Promise<Project> {
  const { userId } = ctx.actor;
  const rows = await inTurn(
    ctx.sql,
    [turnOfPerson(ctx.sql, userId)],
    ctx.sql`
    with project as (
      insert into projects (name) select ${name} where ${hasRoomForProject(ctx)}
      returning id, name, created_at
    ), membership as (
      insert into project_members (project_id, user_id, role) select id, ${userId}::uuid, 'owner' from project
    ), environment as (
      insert into environments (project_id, name) select id, 'production' from project
    ), done as (select id, id as project_id, name from project),
    audited as (${insertProjectAudit(ctx, 'project.create')})
    select id, name, 'owner' as role, created_at from project
  `,
  );
  const [row] = rows as ProjectRow[];
  if (row === undefined) throw tooManyProjects();
  return toProject(row);
}

/** Renames a project. Throws `NOT_FOUND`, or `FORBIDDEN` for viewers. Uses primary keys. */
export async function renameProject(
  ctx: ProjectContext,
  { projectId, name }: RenameProject,
): Promise<Project> {
  const rows = await reach(ctx.sql`
    with target as (${memberProject(ctx, projectId)}), done as (
      update projects set name = ${name} from target
      where projects.id = target.id and target.role in ('owner', 'admin')
      returning projects.id, projects.id as project_id, projects.name, projects.created_at
    ), audited as (${insertProjectAudit(ctx, 'project.rename')})
    select target.role, done.id, done.name, done.created_at from target left join done on true
  `);
  return toProject(requireWritten<ProjectRow>(rows, { what: 'project' }));
}

/**
 * Deletes a project and everything in it, after a fresh proof (`requireProof`): its sites with their data, and its audit log (`delete_project` of the schema). Throws
 * `NOT_FOUND`, or `FORBIDDEN` for members who aren't owners. The cost grows with the rows of its sites.
 */
export async function deleteProject(ctx: SessionContext, { projectId }: OneProject): Promise<void> {
  await requireProof(ctx);
  const rows = await reach(ctx.sql`
    select target.role, case when target.role = 'owner' then delete_project(target.id)::text end as deleted
    from (${memberProject(ctx, projectId)}) target
  `);
  requireRole(rows, { what: 'project', may: OWNERS });
}
