import { connectDatabase, type Sql } from '../../lib/db.ts';
import { startNeon } from '../../tooling/neon/start-neon.ts';
import { applySchema } from '../../tooling/schema/apply-schema.ts';
import { withDatabase } from '../with-database.ts';

/** Creates a database with the schema, passes its address to `use`, and drops it afterwards. */
export function withService<T>(server: string, use: (url: string) => Promise<T>): Promise<T> {
  return withDatabase(server, async (url) => {
    const neon = await startNeon({ database: { url } });
    try {
      await neon.withClient(applySchema);
    } finally {
      await neon.close();
    }
    return use(url);
  });
}

/** Passes the database to `use` through the driver of the service, with its own connections. */
export async function connected<T>(url: string, use: (sql: Sql) => Promise<T>): Promise<T> {
  const neon = await startNeon({ database: { url } });
  try {
    return await use(connectDatabase({ url: neon.url, endpoint: neon.endpoint }));
  } finally {
    await neon.close();
  }
}

/** Aborts every longer statement of connections that are opened from now on. */
export async function limitStatements(sql: Sql, seconds: number): Promise<void> {
  // `alter database` takes no parameters.
  await sql.transaction([
    sql`select set_config('bench.limit', ${`${seconds}s`}, true)`,
    sql`
    do $$ begin
      execute format('alter database %I set statement_timeout = %L', current_database(), current_setting('bench.limit'));
    end $$`,
  ]);
}
