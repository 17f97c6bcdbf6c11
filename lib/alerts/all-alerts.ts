/** The alerts of all sites and environments that the caller sees, such as those that fire now. */
import { joinEnvironmentAccess, joinSiteAccess } from '../access.ts';
import type { Context, MemberActor } from '../context.ts';
import { reachToRead } from '../db.ts';
import { type AlertRow, toAlert } from './alert-rows.ts';
import type { EnvironmentAlert, ListAllAlerts, OwnedAlert, SiteAlert } from './alert-schemas.ts';

interface FoundRow extends AlertRow {
  project_id: string;
  site_id: string | null;
  environment_id: string | null;
  owner_name: string;
  total: number;
}

export interface AllAlerts {
  data: OwnedAlert[];
  /** How many there are, also beyond `limit`. */
  meta: { total: number };
}

/**
 * Those that changed last come first. Reads the projects of the caller by `project_members`, and their alerts by `alert_rules_site` and
 * `alert_rules_environment`: its cost grows with the caller's sites and environments.
 */
export async function listAllAlerts(
  { sql, actor }: Context<MemberActor>,
  { state, limit }: ListAllAlerts,
): Promise<AllAlerts> {
  const rows = await reachToRead(sql`
    with seen as (
      select rule.*, site.name as owner_name
      from sites site ${joinSiteAccess(sql, actor)}
      join alert_rules rule on rule.site_id = site.id
      union all
      select rule.*, environment.name
      from environments environment ${joinEnvironmentAccess(sql, actor)}
      join alert_rules rule on rule.environment_id = environment.id
    )
    select seen.*, count(*) over ()::integer as total from seen
    where ${state ?? null}::text is null or seen.state = ${state ?? null}
    order by seen.state_since desc, seen.id
    limit ${limit}`);
  const found = rows as FoundRow[];
  return { data: found.map(toOwnedAlert), meta: { total: found[0]?.total ?? 0 } };
}

function toOwnedAlert(row: FoundRow): OwnedAlert {
  const { project_id: projectId, site_id: siteId, environment_id: environmentId, owner_name: name } = row;
  if (siteId !== null) return { kind: 'site', projectId, siteId, site: name, ...toAlert<SiteAlert>(row) };
  return {
    ...{ kind: 'environment', projectId, environmentId: environmentId ?? '', environment: name },
    ...toAlert<EnvironmentAlert>(row),
  };
}
