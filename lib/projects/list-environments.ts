import type { SessionContext } from '../context.ts';
import { reach } from '../db.ts';
import { listed } from '../listed.ts';
import { type EnvironmentRow, toEnvironment } from './environment.ts';
import { memberProject } from './project.ts';
import type { Environment } from './schemas.ts';

/** A project's environments, oldest first. Throws `NOT_FOUND`. By the index `environments_project`, at most 50 rows. */
export async function listEnvironments(ctx: SessionContext, projectId: string): Promise<Environment[]> {
  const rows = await reach(ctx.sql`
    select environments.id, environments.name, environments.created_at
    from (${memberProject(ctx, projectId)}) target
    join environments on environments.project_id = target.id
    order by environments.created_at, environments.id
  `);
  return listed<EnvironmentRow>(rows, 'project').map(toEnvironment);
}
