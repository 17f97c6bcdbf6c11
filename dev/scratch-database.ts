import { randomBytes } from 'node:crypto';
import pg from 'pg';

export interface ScratchDatabase {
  name: string;
  url: string;
  drop(): Promise<void>;
}

export interface ScratchOptions {
  /** The prefix of its name. */
  prefix?: string;
  /** The database to copy. Default: an empty one. */
  template?: string;
  /** Default: yes. If not, a commit doesn't wait until the disk has it: a crash of the server may lose the last ones. */
  isDurable?: boolean;
}

/** Creates a database on the server at `serverUrl` for one test file or benchmark. */
export async function createScratchDatabase(
  serverUrl: string,
  { prefix = 'vendor_scratch', template = 'template1', isDurable = true }: ScratchOptions = {},
): Promise<ScratchDatabase> {
  const name = `${prefix}_${randomBytes(6).toString('hex')}`;
  await run(serverUrl, `create database ${name} template ${template}`);
  // Compiling plans takes longer than these databases have rows for. The server that npm brings has no compiler at all.
  if (!isDurable)
    await run(
      serverUrl,
      `alter database ${name} set synchronous_commit = off; alter database ${name} set jit = off`,
    );
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { name, url: url.href, drop: () => dropDatabases(serverUrl, name) };
}

/** Drops all databases whose names begin with `prefix`. */
export async function dropDatabases(serverUrl: string, prefix: string): Promise<void> {
  const names = await run(
    serverUrl,
    `select format('%I', datname) as name from pg_database where starts_with(datname, '${prefix}')`,
  );
  for (const { name } of names) await run(serverUrl, `drop database if exists ${name} with (force)`);
}

async function run(url: string, statement: string): Promise<{ name?: string }[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<{ name?: string }>(statement)).rows;
  } finally {
    await client.end();
  }
}
