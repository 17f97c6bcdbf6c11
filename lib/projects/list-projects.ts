import type { SessionContext } from '../context.ts';
import { reach } from '../db.ts';
import { type ProjectRow, toProject } from './project.ts';
import type { Project } from './schemas.ts';

/** The projects that the caller is a member of, oldest first. By the primary key of `project_members`. */
export async function listProjects(ctx: SessionContext): Promise<Project[]> {
  const rows = await reach(ctx.sql`
    select projects.id, projects.name, member.role, projects.created_at
    from project_members member join projects on projects.id = member.project_id
    where member.user_id = ${ctx.actor.userId}
    order by projects.created_at, projects.id
  `);
  return (rows as ProjectRow[]).map(toProject);
}
