import pg from 'pg';
import { startNeon } from '../../tooling/neon/start-neon.ts';
import { applySchema } from '../../tooling/schema/apply-schema.ts';

/** Key of the session lock that only one fill of a database holds. */
const ONE_AT_A_TIME = "hashtextextended('bench fill', 0)";

/** The address of a database with this name on the server. */
export function databaseOn(server: string, name: string): string {
  const url = new URL(server);
  url.pathname = `/${name}`;
  return url.href;
}

/**
 * Passes the address of a database to fill to `use`, with the schema in it: a new one, or one that an earlier fill began. Refuses every
 * other one, and a second fill at the same time, with a sentence for the user.
 */
export async function withFilledDatabase(
  server: string,
  name: string,
  use: (url: string) => Promise<void>,
): Promise<void> {
  await withClient(server, async (client) => {
    const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  });
  const url = databaseOn(server, name);
  await withClient(url, async (client) => {
    const { rows } = await client.query(
      `select to_regclass('sites') is not null as "hasTables", to_regnamespace('bench') is not null as "isFilled"`,
    );
    const { hasTables, isFilled } = rows[0];
    if (!isFilled && hasTables && (await client.query('select from sites limit 1')).rowCount !== 0)
      throw new Error(`The database ${name} has sites that no fill made. Name another one.`);
    const { rows: locks } = await client.query(`select pg_try_advisory_lock(${ONE_AT_A_TIME}) as ours`);
    if (!locks[0].ours) throw new Error(`Another fill of ${name} goes on.`);
    const neon = await startNeon({ database: { url } });
    try {
      await neon.withClient(applySchema);
    } finally {
      await neon.close();
    }
    await use(url);
  });
}

async function withClient<T>(url: string, use: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
}
