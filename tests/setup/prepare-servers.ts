/**
 * Runs once, before the first file that needs a database: creates a database with the schema, which is then copied for each file. The
 * original is a dump if the database is embedded, and a template on the server of TEST_DATABASE_URL otherwise.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, openAsBlob } from 'node:fs';
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { createScratchDatabase, dropDatabases } from '../../dev/scratch-database.ts';
import { unlinkAll } from '../../dev/scratch-redis.ts';
import { ROOT } from '../../tooling/deployment.ts';
import { PgliteStream } from '../../tooling/neon/pglite-stream.ts';
import { applySchema } from '../../tooling/schema/apply-schema.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The file of an embedded database without a schema. */
    emptyDump?: string;
    /** The original of each file's database: a dump in a file, or a template on a server. */
    database?: { dump: string } | { serverUrl: string; template: string };
    /** Prefix of the names of this run's databases and Redis keys. */
    prefix: string;
  }
}

const CACHE = join(ROOT, 'node_modules/.cache/vendor');

export default async function prepareServers(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  const run = project.vitest.getRootProject();
  // Another project of this run has done this already.
  if (run.getProvidedContext().database !== undefined) return undefined;
  const { TEST_DATABASE_URL: databaseUrl, TEST_REDIS_URL: redisUrl } = process.env;
  const prefix = `vendor_test_${randomBytes(6).toString('hex')}`;
  run.provide('prefix', prefix);
  const emptyDump = await makeEmptyDump();
  run.provide('emptyDump', emptyDump);
  const dropAll = databaseUrl
    ? await provideTemplate(run, databaseUrl, prefix)
    : await provideDump(run, emptyDump);
  // Databases that files of a worker share still exist when the worker ends.
  return async () => {
    await Promise.all([dropAll(), redisUrl && unlinkAll(redisUrl, prefix)]);
  };
}

async function provideTemplate(run: TestProject, serverUrl: string, prefix: string) {
  const template = await createScratchDatabase(serverUrl, { prefix, isDurable: false });
  await withSchema(new pg.Client({ connectionString: template.url }));
  run.provide('database', { serverUrl, template: template.name });
  return () => dropDatabases(serverUrl, prefix);
}

async function provideDump(run: TestProject, emptyDump: string) {
  const folder = await mkdtemp(join(tmpdir(), 'vendor-test-'));
  const dump = join(folder, 'database.tar');
  const write = async (): Promise<void> => {
    const embedded = await PGlite.create({ loadDataDir: await openAsBlob(emptyDump) });
    await withSchema(
      new pg.Client({ user: 'postgres', database: 'postgres', stream: () => new PgliteStream(embedded) }),
    );
    await closeInto(dump, embedded);
  };
  await write();
  run.provide('database', { dump });
  run.onTestsRerun(write);
  return () => rm(folder, { recursive: true });
}

async function withSchema(client: pg.Client): Promise<void> {
  await client.connect();
  try {
    await applySchema(client);
  } finally {
    await client.end();
  }
}

/** The path of the dump of a new database. PGlite needs seconds to create a database, so the dump is kept for the next run. */
async function makeEmptyDump(): Promise<string> {
  const manifest = await readFile(join(ROOT, 'node_modules/@electric-sql/pglite/package.json'), 'utf8');
  const path = join(CACHE, `empty-database-${JSON.parse(manifest).version}.tar`);
  if (existsSync(path)) return path;
  await mkdir(CACHE, { recursive: true });
  await closeInto(`${path}.${process.pid}`, await PGlite.create());
  await rename(`${path}.${process.pid}`, path);
  return path;
}

async function closeInto(path: string, embedded: PGlite): Promise<void> {
  const dump = await embedded.dumpDataDir('none');
  await writeFile(path, dump.stream());
  await embedded.close();
}
