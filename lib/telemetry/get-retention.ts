import type { SessionContext } from '../context.ts';
import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import { memberEnvironment } from '../projects/project.ts';
import type { Retention } from './control-schemas.ts';
import type { Place } from './query.ts';

/** For how many days an environment keeps each signal. Throws `NOT_FOUND`. By primary keys. */
export async function getRetention(
  ctx: SessionContext,
  { projectId, environmentId }: Place,
): Promise<Retention> {
  const [row] = await reach(ctx.sql`
    select traces_days as traces, logs_days as logs, metrics_days as metrics
    from (${memberEnvironment(ctx, projectId, environmentId)}) target
    join environments on environments.id = target.environment_id
  `);
  if (row === undefined) throw notFound('environment');
  return row as Retention;
}
