import { reach } from '../db.ts';
import { DomainError } from '../errors.ts';
import { insertProjectAudit } from './audit.ts';
import { type EnvironmentRow, refuseTakenName, toEnvironment } from './environment.ts';
import { type AccountContext, memberProject, requireWritten, type Written } from './project.ts';
import type { Environment, NewEnvironment } from './schemas.ts';

const MAX_ENVIRONMENTS_A_PROJECT = 50;

/**
 * Makes an environment. Throws `NOT_FOUND`, `FORBIDDEN` for viewers, `CONFLICT` for a name that is taken and for a project with
 * as many as it may have, counted by the index `environments_project`.
 */
export async function createEnvironment(
  ctx: AccountContext,
  projectId: string,
  { name }: NewEnvironment,
): Promise<Environment> {
  const rows = await refuseTakenName(
    reach(ctx.sql`
      with target as (${memberProject(ctx, projectId)}), done as (
        insert into environments (project_id, name) select target.id, ${name} from target
        where target.role in ('owner', 'admin')
          and (select count(*) from environments where project_id = target.id) < ${MAX_ENVIRONMENTS_A_PROJECT}
        returning id, project_id, name, created_at
      ), audited as (${insertProjectAudit(ctx, 'environment.create')})
      select target.role, done.id, done.name, done.created_at from target left join done on true
    `),
  );
  const row = requireWritten(rows as Written<EnvironmentRow>[], {
    what: 'project',
    refused: () =>
      new DomainError('CONFLICT', `A project has at most ${MAX_ENVIRONMENTS_A_PROJECT} environments.`),
  });
  return toEnvironment(row);
}
