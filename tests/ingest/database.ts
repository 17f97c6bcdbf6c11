/** A database with the schema in it: embedded, or with TEST_DATABASE_URL a new one on that server, dropped at the end. */
import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import pg from 'pg';
import { startNeon } from '../../dev/neon/server.ts';

export interface Database {
  url: string;
  endpoint: string;
  /** The server's own address of this database; undefined when embedded. */
  server: string | undefined;
  close(): Promise<void>;
}

const SCHEMA = new URL('../../schema.sql', import.meta.url);

export async function openDatabase(server = process.env.TEST_DATABASE_URL): Promise<Database> {
  const own = server === undefined ? undefined : await createDatabase(server);
  const neon = await startNeon({ database: own === undefined ? 'memory' : { url: own.url } });
  await neon.exec(await readFile(SCHEMA, 'utf8'));
  return {
    url: neon.url,
    endpoint: neon.endpoint,
    server: own?.url,
    close: async () => {
      await neon.close();
      await own?.drop();
    },
  };
}

async function createDatabase(server: string) {
  const name = `vendor_test_${randomBytes(6).toString('hex')}`;
  await run(server, `create database ${name}`);
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href, drop: () => run(server, `drop database ${name} with (force)`) };
}

async function run(server: string, statement: string): Promise<void> {
  const client = new pg.Client(server);
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
