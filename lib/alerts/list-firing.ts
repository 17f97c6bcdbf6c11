/** What fires now on a site or in an environment, for reports about it: up to 10 alerts, the newest alarm first. */
import { joinEnvironmentAccess, memberSite, type TelemetryActor } from '../access.ts';
import type { Context, ReportContext } from '../context.ts';
import { type Fragment, reachToRead } from '../db.ts';
import { unitOf } from './alert-fields.ts';
import type { AlertRow } from './alert-rows.ts';
import { subjectText } from './alert-subject.ts';

export interface FiringAlert {
  name: string;
  metric: AlertRow['metric'];
  /** What the metric is of, such as a service or an event's name. A goal is named by the alert alone. */
  of?: string;
  compare: AlertRow['compare'];
  threshold: number;
  value: number | null;
  unit: ReturnType<typeof unitOf>;
  since: string | null;
}

const toFiring = (row: AlertRow): FiringAlert => {
  const of = subjectText(row.subject);
  return {
    ...{ name: row.name, metric: row.metric, ...(of !== undefined && { of }) },
    ...{ compare: row.compare, threshold: row.threshold, value: row.value, unit: unitOf(row) },
    since: row.alarm_since?.toISOString() ?? null,
  };
};

/** A report that names more would be about nothing else. */
const MAX_NAMED = 10;

const select = ({ sql }: Pick<ReportContext, 'sql'>, from: Fragment): Fragment => sql`
  select rule.* from ${from} where rule.state = 'firing' order by rule.alarm_since desc, rule.id limit ${MAX_NAMED}`;

/** Empty also for a site that the caller doesn't see. Uses `alert_rules_site`. */
export async function listFiringOfSite(ctx: ReportContext, siteId: string): Promise<FiringAlert[]> {
  const site = ctx.sql`(${memberSite(ctx, siteId)}) site
    join alert_rules rule on rule.project_id = site.project_id and rule.site_id = site.id`;
  return ((await reachToRead(select(ctx, site))) as AlertRow[]).map(toFiring);
}

/** Empty also for an environment that the caller doesn't see. Uses `alert_rules_environment`. */
export async function listFiringOfEnvironment(
  ctx: Context<TelemetryActor>,
  environmentId: string,
): Promise<FiringAlert[]> {
  const environment = ctx.sql`environments environment ${joinEnvironmentAccess(ctx.sql, ctx.actor)}
    join alert_rules rule on rule.environment_id = environment.id and environment.id = ${environmentId}::uuid`;
  return ((await reachToRead(select(ctx, environment))) as AlertRow[]).map(toFiring);
}
