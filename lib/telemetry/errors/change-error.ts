import { memberEnvironment, requireWritten } from '../../access.ts';
import { type AuditedContext, insertProjectAudit } from '../../audit.ts';
import type { ControlActor } from '../../context.ts';
import { reach } from '../../db.ts';
import { notFound } from '../../errors.ts';
import type { ChangedError, ChangeError } from './error-schemas.ts';

/**
 * Resolves, ignores or opens a group of errors again, and writes the audit log in the same statement. A resolved group returns by an error
 * later than now. Throws `NOT_FOUND`, and `FORBIDDEN` for viewers. By primary keys.
 */
export async function changeError(
  ctx: AuditedContext<ControlActor>,
  { errorId, state, ...environment }: ChangeError,
): Promise<ChangedError> {
  const { sql } = ctx;
  const rows = await reach(sql`
    with target as (${memberEnvironment(ctx, environment)}), written as (
      update error_groups grp
      set state = ${state}, resolved_nano = case when ${state} = 'resolved' then ${`${ctx.now()}000000`}::bigint else grp.resolved_nano end
      from target join environments on environments.id = target.environment_id
      where target.role in ('owner', 'admin') and grp.environment_key = environments.key and grp.id = span_id_of(${errorId})
      returning span_id_text(grp.id) as id, environments.project_id, concat_ws(' · ', nullif(service, ''), nullif(type, ''),
        nullif(location, ''), nullif(template, '')) as name
    ), audited as (${insertProjectAudit(ctx, 'error.change', sql`written`)})
    select target.role, written.id from target left join written on true
  `);
  const { id } = requireWritten<{ id: string }>(rows, {
    what: 'environment',
    refused: () => notFound('error in this environment'),
  });
  return { id, state };
}
