import pg from 'pg';
import { startCluster, startTemporaryCluster } from '../postgres/cluster.ts';

/** A PostgreSQL of its own (for this process alone, or kept in a directory), or one by its connection string. */
export type DatabaseChoice = 'memory' | { dir: string } | { url: string };

export interface Database {
  pool: pg.Pool;
  close(): Promise<void>;
}

/** Default number of connections: a fifth of PostgreSQL's own default limit. */
const MAX_CONNECTIONS = 20;
const CONNECT_TIMEOUT_MS = 10_000;

/** Two servers print values alike only with the same settings. */
const PRINTING =
  "set timezone = 'UTC'; set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres'; " +
  "set extra_float_digits = 1; set bytea_output = 'hex'; set lc_monetary = 'C'";

/** Opens the database and checks that it answers; throws if it doesn't. */
export async function openDatabase(choice: DatabaseChoice, connections = MAX_CONNECTIONS): Promise<Database> {
  const database = await open(choice, connections);
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

async function open(choice: DatabaseChoice, connections: number): Promise<Database> {
  if (typeof choice === 'object' && 'url' in choice) return openPool(choice.url, connections);
  const cluster = choice === 'memory' ? await startTemporaryCluster() : await startCluster(choice.dir);
  const { pool, close } = openPool(cluster.url, connections);
  return {
    pool,
    close: async () => {
      await close();
      await cluster.close();
    },
  };
}

function openPool(connectionString: string, max: number): Database {
  const pool = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    onConnect: (client) => client.query(PRINTING),
  });
  return { pool, close: endPool(pool) };
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
