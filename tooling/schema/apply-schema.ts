import type pg from 'pg';
import { readFunctions, readMigrations } from './read-schema.ts';

/** Applies the migrations that a database doesn't have yet, then makes all functions anew. All of it or nothing. */
export async function applySchema(client: pg.ClientBase): Promise<void> {
  const migrations = await readMigrations();
  await client.query('begin');
  try {
    await client.query("select pg_advisory_xact_lock(hashtext('vendor schema'))");
    await client.query(
      'create table if not exists schema_migrations (number integer primary key, name text not null, applied_at timestamptz not null default now())',
    );
    const applied = new Set(
      (await client.query<{ number: number }>('select number from schema_migrations')).rows.map(
        (row) => row.number,
      ),
    );
    const { rows: made } = await client.query(
      "select from pg_tables where schemaname = current_schema() and tablename = 'sites'",
    );
    for (const { number, name, sql } of migrations) {
      if (applied.has(number)) continue;
      // A database of 0.1.0 has no such rows, and all tables.
      if (made.length === 0) await client.query(sql);
      await client.query('insert into schema_migrations (number, name) values ($1, $2)', [number, name]);
    }
    await client.query(await readFunctions());
    await client.query('commit');
  } catch (error) {
    await client.query('rollback');
    throw error;
  }
}
