import { fillDemo } from '../host/start/fill-demo.ts';
import type { Sql } from '../lib/db.ts';

/**
 * Fills the demo site as `npm run demo` does, in a process of its own, if the site has no visit yet. Call the result to end it; what is
 * missing then is filled by the next `npm run demo`.
 */
export async function fillOnce(
  sql: Sql,
  siteId: string,
  log: (line: string) => void,
): Promise<() => Promise<void>> {
  const visits = await sql`
    select from visits join sites on sites.key = visits.site_key where sites.id = ${siteId}::uuid limit 1`;
  if (visits.length > 0) return async () => {};
  log('filling the demo site with two months of made-up traffic; --no-demo leaves it empty');
  return fillDemo({ log });
}
