import type { SessionContext } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import { memberProject, type ProjectRow, toProject } from './project.ts';
import type { Project } from './schemas.ts';

/** One project that the caller is a member of; throws `NOT_FOUND`. By primary keys. */
export async function getProject(ctx: SessionContext, projectId: string): Promise<Project> {
  const rows = await reach(ctx.sql`
    select projects.id, projects.name, target.role, projects.created_at
    from (${memberProject(ctx, projectId)}) target join projects on projects.id = target.id
  `);
  const [row] = rows as ProjectRow[];
  if (row === undefined) throw notFound('project');
  return toProject(row);
}
