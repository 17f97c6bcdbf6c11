/** For how many days an environment keeps each signal, chosen by its members. */
import { memberEnvironment, requireWritten } from '../access.ts';
import { type AuditedContext, insertProjectAudit } from '../audit.ts';
import type { ControlActor } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import type { OneEnvironment } from '../projects/schemas.ts';
import type { ReplaceRetention, Retention } from './control-schemas.ts';
import type { TelemetryContext } from './query-telemetry.ts';

/** Days by signal. Throws `NOT_FOUND`. By primary keys. */
export async function getRetention(ctx: TelemetryContext, environment: OneEnvironment): Promise<Retention> {
  const [row] = await reach(ctx.sql`
    select traces_days as traces, logs_days as logs, metrics_days as metrics
    from (${memberEnvironment(ctx, environment)}) target
    join environments on environments.id = target.environment_id
  `);
  if (row === undefined) throw notFound('environment');
  return row as Retention;
}

/**
 * Sets for how many days an environment keeps each signal, and writes the audit log in the same statement. A cron deletes older data
 * from the next minute on. Throws `NOT_FOUND`, `FORBIDDEN` for viewers. By primary keys.
 */
export async function replaceRetention(
  ctx: AuditedContext<ControlActor>,
  { traces, logs, metrics, ...environment }: ReplaceRetention,
): Promise<Retention> {
  const rows = await reach(ctx.sql`
    with target as (${memberEnvironment(ctx, environment)}), done as (
      update environments set traces_days = ${traces}::smallint, logs_days = ${logs}::smallint, metrics_days = ${metrics}::smallint,
        expired_on = '-infinity'
      from target
      where environments.id = target.environment_id and target.role in ('owner', 'admin')
      returning environments.id, environments.project_id, environments.name
    ), audited as (${insertProjectAudit(ctx, 'retention.replace')})
    select target.role, done.id from target left join done on true
  `);
  requireWritten(rows, { what: 'environment' });
  return { traces, logs, metrics };
}
