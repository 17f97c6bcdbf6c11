import { reach } from '../db.ts';
import { insertProjectAudit } from '../projects/audit.ts';
import { memberEnvironment, type ProjectContext, requireWritten, type Written } from '../projects/project.ts';
import type { Retention } from './control-schemas.ts';
import type { Place } from './query.ts';

/**
 * Sets for how many days an environment keeps each signal; what is older is deleted from the next minute on. Throws `NOT_FOUND`,
 * `FORBIDDEN` for viewers. Audited, in the same statement. By primary keys.
 */
export async function replaceRetention(
  ctx: ProjectContext,
  { projectId, environmentId }: Place,
  { traces, logs, metrics }: Retention,
): Promise<Retention> {
  const rows = await reach(ctx.sql`
    with target as (${memberEnvironment(ctx, projectId, environmentId)}), done as (
      update environments set traces_days = ${traces}::smallint, logs_days = ${logs}::smallint, metrics_days = ${metrics}::smallint,
        expired_on = '-infinity'
      from target
      where environments.id = target.environment_id and target.role in ('owner', 'admin')
      returning environments.id, environments.project_id, traces_days as traces, logs_days as logs, metrics_days as metrics
    ), audited as (${insertProjectAudit(ctx, 'retention.replace')})
    select target.role, done.id, done.traces, done.logs, done.metrics from target left join done on true
  `);
  const written = requireWritten(rows as Written<Retention & { id: string }>[], {
    what: 'environment',
  });
  return { traces: written.traces, logs: written.logs, metrics: written.metrics };
}
