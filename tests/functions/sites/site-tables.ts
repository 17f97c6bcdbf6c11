/** Rows of a site in every table that holds any. */
import type { Sql } from '../../../lib/db.ts';

export interface SiteTable {
  name: string;
  /** The column that identifies the site: its id, or its key. */
  column: 'site_id' | 'site_key';
}

export type SiteIdentity = Record<SiteTable['column'], string | number>;

/** Tables that hold data of a site, partitions aside. */
export async function tablesOfSites(sql: Sql): Promise<SiteTable[]> {
  const rows = await sql`
    select c.relname as name, a.attname as column
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attname in ('site_id', 'site_key')
    where c.relkind in ('r', 'p') and not c.relispartition and c.relnamespace = 'public'::regnamespace
  `;
  return rows as SiteTable[];
}

export async function identityOf(sql: Sql, siteId: string): Promise<SiteIdentity> {
  const [row] = await sql`select key from sites where id = ${siteId}`;
  return { site_id: siteId, site_key: row?.key };
}

export async function count(
  sql: Sql,
  { name, column }: SiteTable,
  identity: string | number,
): Promise<number> {
  const [row] = await sql`
    select count(*)::int as rows from ${sql.unsafe(name)} where ${sql.unsafe(column)} = ${identity}
  `;
  return row?.rows;
}

/** Inserts a row into each of these tables, with made-up values for required columns. */
export async function fill(sql: Sql, identity: SiteIdentity): Promise<void> {
  const [site] = await sql`select project_id from sites where id = ${identity.site_id}`;
  for (const table of await tablesOfSites(sql)) {
    const columns = await sql`
      select column_name as name, data_type as type
      from information_schema.columns
      where table_schema = 'public' and table_name = ${table.name}
        and ((is_nullable = 'NO' and column_default is null and is_identity = 'NO' and is_generated = 'NEVER') or column_name = ${table.column})
    `;
    const values = columns.map(({ name, type }) =>
      name === table.column
        ? identity[table.column]
        : name === 'project_id'
          ? site?.project_id
          : madeUp(name, type, `${table.name} ${identity.site_id}`),
    );
    const list = columns.map(({ name }) => name).join(', ');
    const parameters = values.map((_, n) => `$${n + 1}`).join(', ');
    await sql.query(`insert into ${table.name} (${list}) values (${parameters})`, values);
  }
}

function madeUp(name: string, type: string, text: string): unknown {
  if (name === 'unit' || name === 'every') return 'day';
  if (name === 'compare') return 'above';
  if (name === 'dictionary') return 'text';
  if (type === 'uuid') return crypto.randomUUID();
  if (type === 'boolean') return true;
  if (type === 'text') return text;
  if (type === 'bytea') return `\\x${crypto.randomUUID().replaceAll('-', '')}`;
  if (type === 'date') return '2026-11-21';
  if (type === 'ARRAY') return [];
  return type.startsWith('timestamp') ? new Date().toISOString() : 1;
}
