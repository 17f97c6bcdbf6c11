/** An environment's first-party API origins, which its members choose. */

import { memberEnvironment, requireWritten } from '../access.ts';
import { type AuditedContext, insertProjectAudit } from '../audit.ts';
import type { ControlActor } from '../context.ts';
import { reach } from '../db.ts';
import { DomainError, notFound } from '../errors.ts';
import type { OneEnvironment } from '../projects/schemas.ts';
import { inTurn, turnOfProject } from '../turns.ts';
import { MAX_ORIGINS, type Origins, type ReplaceOrigins, type SetOrigin } from './control-schemas.ts';
import type { TelemetryContext } from './query-telemetry.ts';

/** The origins, by name, without ids of deleted sites. Throws `NOT_FOUND`. Uses primary keys of the environment and of the named sites. */
export async function getOrigins(ctx: TelemetryContext, environment: OneEnvironment): Promise<Origins> {
  const [row] = await reach(ctx.sql`
    select (
      select coalesce(jsonb_agg(jsonb_build_object('origin', origin) || case when site_ids is null then '{}' else
        jsonb_build_object('siteIds', array(
          select sites.id from sites where sites.id = any(site_ids) order by array_position(site_ids, sites.id))) end
        order by origin), '[]')
      from environment_origins where environment_origins.environment_id = target.environment_id
    ) as origins
    from (${memberEnvironment(ctx, environment)}) target
  `);
  if (row === undefined) throw notFound('environment');
  return { origins: row.origins };
}

/**
 * Replaces all first-party API origins of an environment and writes the audit log in the same statement. Throws `NOT_FOUND`, also for a
 * site of another project, and `FORBIDDEN` for viewers. By primary keys; cost grows with the origins and the named sites.
 */
export async function replaceOrigins(
  ctx: AuditedContext<ControlActor>,
  { origins, ...environment }: ReplaceOrigins,
): Promise<Origins> {
  const sorted = origins.toSorted((a, b) => (a.origin < b.origin ? -1 : 1));
  const rows = await inTurn(
    ctx.sql,
    [turnOfProject(ctx.sql, environment.projectId)],
    ctx.sql`
    with target as (${memberEnvironment(ctx, environment)}), sent as (
      select item ->> 'origin' as origin, case when item ? 'siteIds' then array(
        select jsonb_array_elements_text(item -> 'siteIds')::uuid) end as site_ids
      from jsonb_array_elements(${JSON.stringify(sorted)}::jsonb) as item
    ), done as (
      select environments.id, environments.project_id, environments.name from target
      join environments on environments.id = target.environment_id
      where target.role in ('owner', 'admin') and not exists (
        select from sent cross join unnest(sent.site_ids) as named(id)
        where not exists (select from sites where sites.id = named.id and sites.project_id = target.id))
    ), removed as (
      delete from environment_origins using done
      where environment_origins.environment_id = done.id and origin not in (select origin from sent)
    ), written as (
      insert into environment_origins (environment_id, origin, site_ids)
      select done.id, sent.origin, sent.site_ids from done cross join sent order by sent.origin
      on conflict (environment_id, origin) do update set site_ids = excluded.site_ids
    ), audited as (${insertProjectAudit(ctx, 'origins.replace')})
    select target.role, done.id from target left join done on true
  `,
  );
  requireWritten(rows, { what: 'environment', refused: () => notFound('site') });
  return { origins: sorted };
}

/**
 * Adds, changes or removes one first-party API origin of an environment, whatever others do at once to the others, and writes the audit
 * log in the same statement. Throws `NOT_FOUND`, also for a site of another project, `FORBIDDEN` for viewers, and `VALIDATION_ERROR` for
 * one more than there may be. By primary keys; takes the project's turn.
 */
export async function setOrigin(
  ctx: AuditedContext<ControlActor>,
  { origin, siteIds, remove, ...environment }: SetOrigin,
): Promise<void> {
  const { sql } = ctx;
  const { environmentId } = environment;
  const sites = siteIds ?? null;
  const rows = await inTurn(
    sql,
    [turnOfProject(sql, environment.projectId)],
    sql`
        with target as (${memberEnvironment(ctx, environment)}), room as (
          select ${remove}::boolean or count(*) < ${MAX_ORIGINS} as is_left
          from environment_origins where environment_id = ${environmentId}::uuid and origin <> ${origin}
        ), done as (
          select environments.id, environments.project_id, environments.name from target
          join environments on environments.id = target.environment_id
          cross join room
          where target.role in ('owner', 'admin') and is_left and not exists (
            select from unnest(${sites}::uuid[]) as named(id)
            where not exists (select from sites where sites.id = named.id and sites.project_id = target.id))
        ), removed as (
          delete from environment_origins using done
          where environment_origins.environment_id = done.id and origin = ${origin} and ${remove}::boolean
        ), written as (
          insert into environment_origins (environment_id, origin, site_ids)
          select done.id, ${origin}, ${sites}::uuid[] from done where not ${remove}::boolean
          on conflict (environment_id, origin) do update set site_ids = excluded.site_ids
        ), audited as (${insertProjectAudit(ctx, 'origins.replace')})
        select target.role, done.id, is_left from target cross join room left join done on true`,
  );
  requireWritten(rows, {
    what: 'environment',
    refused: () => (rows[0]?.is_left === false ? tooMany() : notFound('site')),
  });
}

const tooMany = (): DomainError =>
  new DomainError('VALIDATION_ERROR', 'The request breaks the rules named in `details`.', {
    details: [{ path: 'origin', message: `must be one of at most ${MAX_ORIGINS}` }],
  });
