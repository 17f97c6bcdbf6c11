import { reach } from '../db.ts';
import { DomainError } from '../errors.ts';
import { insertProjectAudit } from './audit.ts';
import {
  type AccountContext,
  lockProject,
  memberEnvironment,
  requireWritten,
  type Written,
} from './project.ts';

/**
 * Deletes an environment with its keys. Throws `NOT_FOUND`, `FORBIDDEN` for viewers, `CONFLICT` for a project's last one. In a
 * transaction that locks the project first, so that the last two can't go at once.
 */
export async function deleteEnvironment(
  ctx: AccountContext,
  projectId: string,
  environmentId: string,
): Promise<void> {
  const [, rows] = await reach(
    ctx.sql.transaction([
      lockProject(ctx, projectId),
      ctx.sql`
        with target as (${memberEnvironment(ctx, projectId, environmentId)}), done as (
          delete from environments using target
          where environments.id = target.environment_id and target.role in ('owner', 'admin') and exists (
            select from environments other where other.project_id = target.id and other.id <> target.environment_id)
          returning environments.id, environments.project_id
        ), audited as (${insertProjectAudit(ctx, 'environment.delete')})
        select target.role, done.id from target left join done on true`,
    ]),
  );
  requireWritten(rows as Written<{ id: string }>[], {
    what: 'environment',
    refused: () => new DomainError('CONFLICT', 'A project must have an environment. Make another one first.'),
  });
}
