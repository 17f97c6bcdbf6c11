import type { Sql } from '../../lib/db.ts';
import { storeSteps } from '../../lib/goals/funnel-definitions.ts';
import { storeTarget, type Target } from '../../lib/goals/target.ts';

/** Adds a goal to a site, optionally with a given id. Returns the id. */
export async function addGoal(
  sql: Sql,
  siteId: string,
  goal: Target & { id?: string; name: string },
): Promise<string> {
  const { id = crypto.randomUUID(), name } = goal;
  const { kind, pattern } = storeTarget(goal) ?? {};
  await sql`
    insert into site_goals (site_id, id, name, kind, pattern)
    values (${siteId}, ${id}, ${name}, ${kind}::smallint, ${pattern})`;
  return id;
}

/** Adds a funnel to a site, optionally with a given id. Returns the id. */
export async function addFunnel(
  sql: Sql,
  siteId: string,
  funnel: { id?: string; name: string; steps: readonly Target[] },
): Promise<string> {
  const { id = crypto.randomUUID(), name, steps } = funnel;
  await sql`
    insert into site_funnels (site_id, id, name, steps)
    values (${siteId}, ${id}, ${name}, ${storeSteps([...steps])}::jsonb)`;
  return id;
}
