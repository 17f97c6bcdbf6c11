import type { Sql } from '../../lib/db.ts';

/** Makes an alert of a site or an environment that fires, with one change in its history, and returns its id. */
export async function addAlert(
  sql: Sql,
  {
    projectId,
    siteId = null,
    environmentId = null,
    id = crypto.randomUUID(),
  }: { projectId: string; siteId?: string | null; environmentId?: string | null; id?: string },
): Promise<string> {
  const metric = siteId === null ? 'requests' : 'visits';
  await sql`
    with made as (
      insert into alert_rules (project_id, id, site_id, environment_id, name, metric, subject, compare, threshold, for_minutes, channels,
        state, alarm_since, value, evaluated_to)
      values (${projectId}, ${id}, ${siteId}, ${environmentId}, 'Busy', ${metric}, '{}', 'above', 500, 5, '{}', 'firing', now(), 912, now())
      returning project_id, id
    )
    insert into alert_changes (project_id, alert_id, at, state, message, value, threshold)
    select project_id, id, now(), 'firing', 'firing', 912, 500 from made`;
  return id;
}
