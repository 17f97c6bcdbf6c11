/** A database with the schema, on the run's server: a copy for each file, which is dropped at its end. */
import { afterAll, beforeAll, inject } from 'vitest';
import { createScratchDatabase } from '../../dev/scratch-database.ts';
import { connectDatabase, type DriverFetch, type Sql } from '../../lib/db.ts';
import { type Neon, startNeon } from '../../tooling/neon/start-neon.ts';

export interface TestDatabase {
  sql: Sql;
  /** For connections of a function's own. */
  address: { url: string; endpoint: string };
  /** What answers `sql`: a test that counts calls connects itself to `address.url` and this. */
  fetch: DriverFetch;
  /** What stands for Neon: for connections with a function's role. */
  neon: Neon;
  /** The address of this database on the server. */
  server: string;
  close(): Promise<void>;
}

const MISNAMED = 'A file that needs a database is named *.database.test.ts';

/** Makes a new copy of the run's database. `drop` begins to drop it. */
export async function copyDatabase(): Promise<{ choice: { url: string }; drop(): void }> {
  const source = inject('database');
  if (source === undefined) throw new Error(MISNAMED);
  const { serverUrl, template } = source;
  const { url, drop } = await createScratchDatabase(serverUrl, {
    prefix: inject('prefix'),
    template,
    isDurable: false,
  });
  // A server writes all its changes to the disk before it drops a database: nobody waits for that. The run's end drops what is left.
  return { choice: { url }, drop: () => void drop().catch(() => {}) };
}

async function openDatabase(): Promise<TestDatabase> {
  const { choice, drop } = await copyDatabase();
  const neon = await startNeon({ database: choice });
  return {
    sql: connectDatabase(neon),
    address: { url: neon.url, endpoint: neon.endpoint },
    fetch: neon.fetch,
    neon,
    server: choice.url,
    close: async () => {
      await neon.close();
      drop();
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
