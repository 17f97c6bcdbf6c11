/** A database with the schema in it: embedded, or with TEST_DATABASE_URL a new one on that server, dropped at the end. */
import { afterAll, beforeAll } from 'vitest';
import { createScratchDatabase } from '../../dev/scratch-database.ts';
import { connectDatabase, type Sql } from '../../lib/db.ts';
import { startNeon } from '../../tooling/neon/start-neon.ts';
import { applySchema } from '../../tooling/schema/apply-schema.ts';

export interface TestDatabase {
  sql: Sql;
  /** The server's own address of this database; undefined when embedded. */
  server: string | undefined;
  close(): Promise<void>;
}

async function openDatabase(): Promise<TestDatabase> {
  const { TEST_DATABASE_URL: server } = process.env;
  const scratch = server === undefined ? undefined : await createScratchDatabase(server);
  const neon = await startNeon({ database: scratch === undefined ? 'memory' : { url: scratch.url } });
  await neon.withClient(applySchema);
  return {
    sql: connectDatabase({ url: neon.url, endpoint: neon.endpoint }),
    server: scratch?.url,
    close: async () => {
      await neon.close();
      await scratch?.drop();
    },
  };
}

/** Opens a database before the tests of a file (or `describe`) and closes it after them. Call the result inside a test. */
export function useDatabase(): () => TestDatabase {
  let database: TestDatabase | undefined;
  beforeAll(async () => {
    database = await openDatabase();
  });
  afterAll(() => database?.close());
  return () => {
    if (database === undefined) throw new Error('useDatabase: the database is there only while tests run');
    return database;
  };
}
