import type pg from 'pg';
import type { Migration } from './read-schema.ts';
import { inTransaction } from './run-patiently.ts';

/** 0.1.0 had exactly these migrations and kept no record of them. */
const OF_0_1_0 = 11;

/** The columns of tables with their types: `users.email text not null`. */
type Columns = Set<string>;

/**
 * The migrations of a database without a record of them: none if it is empty, those of 0.1.0 if it has their tables.
 *
 * @throws a sentence for the operator if tables of the service have another shape
 */
export async function adoptRelease(
  client: pg.ClientBase,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const there = await readColumns(client);
  if (there.size === 0) return [];
  const released = migrations.slice(0, OF_0_1_0);
  const wanted = await columnsOf(client, released);
  const tables = new Set([...wanted].map(tableOf));
  if (![...there].some((column) => tables.has(tableOf(column)))) return [];
  const missing = [...wanted].filter((column) => !there.has(column));
  if (missing.length === 0) return released;
  throw new Error(
    'This database has tables of the service, but not in the shape of 0.1.0, the first release, so that it can’t be brought up. ' +
      `It lacks ${missing.slice(0, 3).join('; ')}${missing.length > 3 ? ` and ${missing.length - 3} more columns` : ''}. ` +
      'Nothing was changed. Give the service an empty database; on your own machine delete .local/database and start again.',
  );
}

const tableOf = (column: string): string => column.slice(0, column.indexOf('.'));

/** The columns that the migrations create, found in a schema of its own that is rolled back at once. */
async function columnsOf(client: pg.ClientBase, migrations: readonly Migration[]): Promise<Columns> {
  const seen = new Error('seen');
  let columns: Columns = new Set();
  await inTransaction(client, async () => {
    await client.query('create schema vendor_adoption; set local search_path = vendor_adoption');
    for (const { sql } of migrations) await client.query(sql);
    columns = await readColumns(client);
    throw seen;
  }).catch((error) => {
    if (error !== seen) throw error;
  });
  return columns;
}

async function readColumns(client: pg.ClientBase): Promise<Columns> {
  const { rows } = await client.query<{ column: string }>(`
    select c.relname || '.' || a.attname || ' ' || format_type(a.atttypid, a.atttypmod)
      || case when a.attnotnull then ' not null' else '' end as column
    from pg_class c
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition`);
  return new Set(rows.map(({ column }) => column));
}
