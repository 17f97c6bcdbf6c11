import { mkdir } from 'node:fs/promises';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { lockDirectory } from './directory-lock.ts';
import { PgliteStream } from './pglite-stream.ts';

/** An embedded PostgreSQL (new in memory, from another one's dump, or in a directory), or a real one by its connection string. */
export type DatabaseChoice = EmbeddedChoice | { url: string };

type EmbeddedChoice = 'memory' | { dump: Blob } | { dir: string };

export interface Database {
  pool: pg.Pool;
  close(): Promise<void>;
}

/** Default number of connections to a real PostgreSQL: a fifth of its own default limit. */
const MAX_CONNECTIONS = 20;
const CONNECT_TIMEOUT_MS = 10_000;

/** Two servers print values alike only with the same settings. */
const PRINTING =
  "set timezone = 'UTC'; set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres'; " +
  "set extra_float_digits = 1; set bytea_output = 'hex'; set lc_monetary = 'C'";

/** Opens the database and checks that it answers; throws if it doesn't. */
export async function openDatabase(choice: DatabaseChoice, connections = MAX_CONNECTIONS): Promise<Database> {
  const database =
    choice !== 'memory' && 'url' in choice ? openReal(choice.url, connections) : await openEmbedded(choice);
  // Without a listener, a connection closed by the server would end this process.
  database.pool.on('error', () => {});
  database.pool.on('connect', (client) => client.on('error', () => {}));
  try {
    await database.pool.query('select 1');
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

function openReal(connectionString: string, max: number): Database {
  const pool = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    onConnect: (client) => client.query(PRINTING),
  });
  return { pool, close: endPool(pool) };
}

async function openEmbedded(choice: EmbeddedChoice): Promise<Database> {
  const { embedded, release } = await createEmbedded(choice);
  const pool = new pg.Pool({
    user: 'postgres',
    database: 'postgres',
    // An embedded PostgreSQL has one session; the pool queues for it.
    max: 1,
    idleTimeoutMillis: 0,
    stream: () => new PgliteStream(embedded),
    onConnect: async (client) => {
      // The session outlives its connections, so open transactions and prepared statements must be removed.
      await client.query('rollback');
      await client.query('discard all');
      await client.query(PRINTING);
    },
  });
  const end = endPool(pool);
  return {
    pool,
    close: async () => {
      await end();
      await embedded.close();
      release();
    },
  };
}

async function createEmbedded(choice: EmbeddedChoice) {
  if (choice === 'memory') return { embedded: await PGlite.create(), release: () => {} };
  if ('dump' in choice)
    return { embedded: await PGlite.create({ loadDataDir: choice.dump }), release: () => {} };
  await mkdir(choice.dir, { recursive: true });
  const release = lockDirectory(choice.dir);
  try {
    return { embedded: await PGlite.create({ dataDir: choice.dir }), release };
  } catch (error) {
    release();
    throw error;
  }
}

/** Ends a pool without waiting for its connections, which may be waiting for a lock. */
function endPool(pool: pg.Pool): () => Promise<void> {
  const busy = new Set<pg.PoolClient>();
  pool.on('acquire', (client) => busy.add(client));
  pool.on('release', (_error, client) => busy.delete(client));
  return async () => {
    const ended = pool.end();
    await Promise.all([...busy].map((client) => client.end()));
    await ended;
  };
}
