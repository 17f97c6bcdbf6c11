import type { Sql } from '../../lib/db.ts';

/** A site of its own for a test, in a project of its own. */
export async function makeSite(sql: Sql, zone = 'UTC', domain = 'example.com'): Promise<string> {
  const [site] = await sql`
    with project as (insert into projects (name) values ('test') returning id)
    insert into sites (project_id, domain, name, timezone) select id, ${domain}, 'test', ${zone} from project
    returning id`;
  return site?.id;
}
