import type { Sql } from '../../lib/db.ts';

/** Creates a site in a new project, for one test. */
export async function makeSite(sql: Sql, zone = 'UTC', domain = 'example.com'): Promise<string> {
  const [site] = await sql`
    with project as (insert into projects (name) values ('test') returning id)
    insert into sites (project_id, domain, name, timezone) select id, ${domain}, 'test', ${zone} from project
    returning id`;
  return site?.id;
}

/** Like `makeSite`, with a person who may see the site. */
export async function makeOwnedSite(sql: Sql, zone: string): Promise<{ siteId: string; userId: string }> {
  const siteId = await makeSite(sql, zone);
  const [owner] = await sql`
    with person as (insert into users (email) values (${`${siteId}@example.com`}) returning id)
    insert into project_members (project_id, user_id, role)
    select project_id, person.id, 'owner' from sites, person where sites.id = ${siteId} returning user_id`;
  return { siteId, userId: owner?.user_id };
}

/**
 * Takes the sites that are there out of the crons' round. A test of random runs calls it before each run: the crons would go round the
 * sites of all earlier runs, which nothing reads any more.
 */
export const retireSites = (sql: Sql) => sql`delete from site_freshness`;
