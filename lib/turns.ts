/**
 * Turns: changes that depend on each other run one after the other. A grant depends on its maker's rights, and a new thing on how many there
 * are. Who gives or withdraws rights, or counts things, takes the turn of the person or the project first. The statement after it then sees
 * everything that was written before.
 */
import { type Fragment, reach, type Sql } from './db.ts';

/** The turn of a person: their sessions, keys, tokens and the number of their projects. Taken before turns of projects. */
export const turnOfPerson = (sql: Sql, userId: string): Fragment =>
  sql`select take_turn('person', ${userId}::uuid)`;

/** The turn of each `project_id` that the query selects: members, invitations and everything that the project holds. */
export const turnOfProjects = (sql: Sql, projects: Fragment): Fragment => sql`
  select take_turn('project', project_id) from (select project_id from (${projects}) named order by project_id) ordered`;

/** The turn of one project. */
export const turnOfProject = (sql: Sql, projectId: string): Fragment =>
  sql`select take_turn('project', ${projectId}::uuid)`;

/** The turn of a site's project. */
export const turnOfSite = (sql: Sql, siteId: string): Fragment =>
  turnOfProjects(sql, sql`select project_id from sites where id = ${siteId}::uuid`);

/** Takes turns until the statement is committed, in one round trip, and returns the statement's rows. */
export async function inTurn(sql: Sql, turns: readonly Fragment[], statement: Fragment) {
  const results = await reach(sql.transaction([...turns, statement]));
  return results.at(-1) ?? [];
}
