import type { Sql } from '../../lib/db.ts';

const NOW = '2026-05-10T12:00:00Z';

/** An import under way: two pieces, with two days and a page. */
export async function addImport(sql: Sql, siteId: string, id?: string): Promise<string> {
  const [begun] = await sql`
    select import_id from begin_import(${siteId}, 'plausible', '{page}', decode(repeat('ab', 32), 'hex'), 100, ${NOW})`;
  const importId = begun?.import_id as string;
  if (id !== undefined) await sql`update site_imports set id = ${id} where id = ${importId}`;
  const known = id ?? importId;
  await sql`
    select add_import_days(${siteId}, ${known}, 1, '[["2026-03-28", 7, 9, 20], ["2026-03-29", 4, 5, 9]]', ${NOW})`;
  await sql`select add_import_values(${siteId}, ${known}, 2, 'page', '[["2026-03-28", "/", 6, 8, 11]]', 1000)`;
  return known;
}
