import { reach } from '../db.ts';
import { notFound } from '../errors.ts';
import { insertProjectAudit } from '../projects/audit.ts';
import { memberEnvironment, type ProjectContext, requireWritten, type Written } from '../projects/project.ts';
import type { Origins } from './control-schemas.ts';
import type { Place } from './query.ts';

/**
 * Replaces all first-party API origins of an environment. Throws `NOT_FOUND`, also for a site that isn't of the project, and `FORBIDDEN`
 * for viewers. Audited, in the same statement. By primary keys; cost grows with the origins and the sites named.
 */
export async function replaceOrigins(
  ctx: ProjectContext,
  { projectId, environmentId }: Place,
  { origins }: Origins,
): Promise<Origins> {
  const sorted = origins.toSorted((a, b) => (a.origin < b.origin ? -1 : 1));
  const rows = await reach(ctx.sql`
    with target as (${memberEnvironment(ctx, projectId, environmentId)}), sent as (
      select item ->> 'origin' as origin, case when item ? 'siteIds' then array(
        select jsonb_array_elements_text(item -> 'siteIds')::uuid) end as site_ids
      from jsonb_array_elements(${JSON.stringify(sorted)}::jsonb) as item
    ), done as (
      select environments.id, environments.project_id from target
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
  `);
  requireWritten(rows as Written<{ id: string }>[], {
    what: 'environment',
    refused: () => notFound('site'),
  });
  return { origins: sorted };
}
