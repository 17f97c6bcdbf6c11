import type { SessionContext } from '../context.ts';
import { reach, type Sql } from '../db.ts';
import { notFound } from '../errors.ts';
import { memberEnvironment } from '../projects/project.ts';
import type { Origins } from './control-schemas.ts';
import type { Place } from './query.ts';

/** An environment's first-party API origins, by name. Throws `NOT_FOUND`. By primary keys, and those of the sites named. */
export async function getOrigins(ctx: SessionContext, { projectId, environmentId }: Place): Promise<Origins> {
  const [row] = await reach(ctx.sql`
    select ${originsOf(ctx.sql)} as origins
    from (${memberEnvironment(ctx, projectId, environmentId)}) target
  `);
  if (row === undefined) throw notFound('environment');
  return { origins: row.origins };
}

/** Part of the statement: the origins of `target.environment_id`; ids of sites that are gone are left out. */
const originsOf = (sql: Sql) => sql`
  (select coalesce(jsonb_agg(jsonb_build_object('origin', origin) || case when site_ids is null then '{}' else
    jsonb_build_object('siteIds', array(
      select sites.id from sites where sites.id = any(site_ids) order by array_position(site_ids, sites.id))) end
    order by origin), '[]')
  from environment_origins where environment_origins.environment_id = target.environment_id)`;
