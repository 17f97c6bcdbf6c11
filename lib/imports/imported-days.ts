import type { Ports } from '../context.ts';
import { reach } from '../db.ts';

/** The days of a site that were already imported, between two dates, both inclusive. Uses the primary key. */
export async function importedDays(
  { sql }: Pick<Ports, 'sql'>,
  { siteId, from, to }: { siteId: string; from: string; to: string },
): Promise<Set<string>> {
  const rows = await reach(sql`
    select to_char(day, 'YYYY-MM-DD') as day
    from imported_days
    join sites on sites.key = site_key
    join site_imports i using (site_key)
    where sites.id = ${siteId}::uuid and day between ${from}::date and ${to}::date and i.id = import_id and i.finished_at is not null`);
  return new Set(rows.map(({ day }) => day as string));
}
