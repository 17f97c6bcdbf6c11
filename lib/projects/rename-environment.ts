import { reach } from '../db.ts';
import { insertProjectAudit } from './audit.ts';
import { type EnvironmentRow, refuseTakenName, toEnvironment } from './environment.ts';
import { type AccountContext, memberEnvironment, requireWritten, type Written } from './project.ts';
import type { Environment, NewEnvironment } from './schemas.ts';

/** Changes an environment's name. Throws `NOT_FOUND`, `FORBIDDEN` for viewers, `CONFLICT` for a name that is taken. By primary keys. */
export async function renameEnvironment(
  ctx: AccountContext,
  projectId: string,
  environmentId: string,
  { name }: NewEnvironment,
): Promise<Environment> {
  const rows = await refuseTakenName(
    reach(ctx.sql`
      with target as (${memberEnvironment(ctx, projectId, environmentId)}), done as (
        update environments set name = ${name} from target
        where environments.id = target.environment_id and target.role in ('owner', 'admin')
        returning environments.id, environments.project_id, environments.name, environments.created_at
      ), audited as (${insertProjectAudit(ctx, 'environment.rename')})
      select target.role, done.id, done.name, done.created_at from target left join done on true
    `),
  );
  const row = requireWritten(rows as Written<EnvironmentRow>[], {
    what: 'environment',
  });
  return toEnvironment(row);
}
