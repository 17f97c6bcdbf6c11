/** A database with the schema: embedded, or a new one on the server of TEST_DATABASE_URL, which is dropped at the end. */
import { openAsBlob } from 'node:fs';
import { afterAll, beforeAll, inject } from 'vitest';
import { createScratchDatabase } from '../../dev/scratch-database.ts';
import { connectDatabase, type DriverFetch, type Sql } from '../../lib/db.ts';
import type { DatabaseChoice } from '../../tooling/neon/connect-database.ts';
import { startNeon } from '../../tooling/neon/start-neon.ts';

export interface TestDatabase {
  sql: Sql;
  /** For connections of a function's own. */
  address: { url: string; endpoint: string };
  /** What answers `sql`: a test that counts calls connects itself to `address.url` and this. */
  fetch: DriverFetch;
  /** The address of this database on the server. Undefined if it is embedded. */
  server: string | undefined;
  close(): Promise<void>;
}

const MISNAMED = 'A file that needs a database is named *.database.test.ts';

/** Makes a new copy of the run's database. `drop` begins to drop it. */
export async function copyDatabase(): Promise<{ choice: DatabaseChoice; drop(): void }> {
  const source = inject('database');
  if (source === undefined) throw new Error(MISNAMED);
  if ('dump' in source) return { choice: { dump: await openAsBlob(source.dump) }, drop: () => {} };
  const { serverUrl, template } = source;
  const { url, drop } = await createScratchDatabase(serverUrl, {
    prefix: inject('prefix'),
    template,
    isDurable: false,
  });
  // A server writes all its changes to the disk before it drops a database: nobody waits for that. The run's end drops what is left.
  return { choice: { url }, drop: () => void drop().catch(() => {}) };
}

/** Makes an embedded database without a schema. */
export async function copyEmptyEmbedded(): Promise<DatabaseChoice> {
  const path = inject('emptyDump');
  if (path === undefined) throw new Error(MISNAMED);
  return { dump: await openAsBlob(path) };
}

async function openDatabase(): Promise<TestDatabase> {
  const { choice, drop } = await copyDatabase();
  const neon = await startNeon({ database: choice });
  return {
    sql: connectDatabase(neon),
    address: { url: neon.url, endpoint: neon.endpoint },
    fetch: neon.fetch,
    server: typeof choice === 'object' && 'url' in choice ? choice.url : undefined,
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
