import { reach } from '../db.ts';
import { insertProjectAudit } from './audit.ts';
import {
  type AccountContext,
  memberProject,
  type ProjectRow,
  requireWritten,
  toProject,
  type Written,
} from './project.ts';
import type { NewProject, Project } from './schemas.ts';

/** Changes a project's name. Throws `NOT_FOUND`, or `FORBIDDEN` for viewers. By primary keys. */
export async function renameProject(
  ctx: AccountContext,
  projectId: string,
  { name }: NewProject,
): Promise<Project> {
  const rows = await reach(ctx.sql`
    with target as (${memberProject(ctx, projectId)}), done as (
      update projects set name = ${name} from target
      where projects.id = target.id and target.role in ('owner', 'admin')
      returning projects.id, projects.id as project_id, projects.name, projects.created_at
    ), audited as (${insertProjectAudit(ctx, 'project.rename')})
    select target.role, done.id, done.name, done.created_at from target left join done on true
  `);
  const row = requireWritten(rows as Written<ProjectRow>[], {
    what: 'project',
  });
  return toProject(row);
}
