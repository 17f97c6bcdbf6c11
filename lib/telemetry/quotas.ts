/** How much telemetry projects may store: what the operator sets, and what a project has. */
import { type AuditedContext, insertProjectAudit } from '../audit.ts';
import type { ActorOf, Ports } from '../context.ts';
import { type Fragment, reach, type Sql } from '../db.ts';
import { notFound } from '../errors.ts';
import type { ProjectQuotas, SetAllQuotas, SetQuotas } from './quota-schemas.ts';

const DAY_MS = 86_400_000;

const utcDay = (ms: number): string => new Date(ms).toISOString().slice(0, 10);

/**
 * An expression with the `ProjectQuotas` of a project on the UTC day of `now`, as JSON (schema/functions/telemetry-quotas.sql). By
 * primary keys.
 */
export const projectQuotas = (sql: Sql, project: Fragment, now: number): Fragment => sql`(
  select jsonb_build_object(
    'bytesPerDay', jsonb_build_object('used', used.bytes, 'limit', quotas.bytes_a_day,
      'resetsAt', ${new Date((Math.floor(now / DAY_MS) + 1) * DAY_MS).toISOString()}::text),
    'series', jsonb_build_object('used', used.series, 'limit', quotas.series),
    'services', jsonb_build_object('used', used.services, 'limit', quotas.services),
    'attributeKeys', jsonb_build_object('used', used.attribute_keys, 'limit', quotas.attribute_keys))
  from quotas_of(${project}) quotas, telemetry_used(${project}, ${utcDay(now)}::date) used)`;

/** A project's quotas and what it has of them. Throws `NOT_FOUND`. For the operator. */
export async function getQuotas(
  { sql, now }: Ports & { actor: ActorOf<'operator'> },
  { projectId }: { projectId: string },
): Promise<ProjectQuotas> {
  const [row] = await reach(
    sql`select ${projectQuotas(sql, sql`projects.id`, now())} as quotas from projects where id = ${projectId}`,
  );
  if (row === undefined) throw notFound('project');
  return row.quotas;
}

/** Sets a project's own quotas, from its next request on, and writes the project's audit log. Throws `NOT_FOUND`. */
export async function setQuotas(
  ctx: AuditedContext<ActorOf<'operator'>>,
  { projectId, ...quotas }: SetQuotas,
): Promise<void> {
  const { bytesPerDay, series, services, attributeKeys } = quotas;
  const rows = await reach(ctx.sql`
    with done as (
      insert into telemetry_quotas as own (project_id, bytes_a_day, series, services, attribute_keys)
      select id, ${bytesPerDay ?? null}::bigint, ${series ?? null}::bigint, ${services ?? null}::bigint, ${attributeKeys ?? null}::bigint
      from projects where id = ${projectId}
      on conflict (project_id) do update set
        bytes_a_day = case when ${bytesPerDay !== undefined}::boolean then excluded.bytes_a_day else own.bytes_a_day end,
        series = case when ${series !== undefined}::boolean then excluded.series else own.series end,
        services = case when ${services !== undefined}::boolean then excluded.services else own.services end,
        attribute_keys = case when ${attributeKeys !== undefined}::boolean then excluded.attribute_keys else own.attribute_keys end
      returning project_id, project_id as id
    ), audited as (${insertProjectAudit(ctx, 'quotas.set')})
    select id from done`);
  if (rows.length === 0) throw notFound('project');
}

/** Sets the quotas of all projects that have none of their own. */
export async function setAllQuotas(
  { sql }: AuditedContext<ActorOf<'operator'>>,
  { bytesPerDay, series, services, attributeKeys }: SetAllQuotas,
): Promise<void> {
  await reach(sql`
    update telemetry_quotas set bytes_a_day = coalesce(${bytesPerDay ?? null}::bigint, bytes_a_day),
      series = coalesce(${series ?? null}::bigint, series), services = coalesce(${services ?? null}::bigint, services),
      attribute_keys = coalesce(${attributeKeys ?? null}::bigint, attribute_keys)
    where project_id is null`);
}
