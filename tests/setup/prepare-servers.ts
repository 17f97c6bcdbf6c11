/**
 * Runs once, before the first file that needs a database: creates a database with the schema, which is then copied for each file. Without a
 * server of TEST_DATABASE_URL one is started for the run.
 */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import type { TestProject } from 'vitest/node';
import { createScratchDatabase, dropDatabases } from '../../dev/scratch-database.ts';
import { unlinkAll } from '../../dev/scratch-redis.ts';
import { startTemporaryCluster } from '../../tooling/postgres/cluster.ts';
import { applySchema } from '../../tooling/schema/apply-schema.ts';

declare module 'vitest' {
  interface ProvidedContext {
    /** The original of each file's database: a template on the run's server. */
    database?: { serverUrl: string; template: string };
    /** Prefix of the names of this run's databases and Redis keys. */
    prefix: string;
  }
}

export default async function prepareServers(
  project: TestProject,
): Promise<(() => Promise<void>) | undefined> {
  const run = project.vitest.getRootProject();
  // Another project of this run has done this already.
  if (run.getProvidedContext().database !== undefined) return undefined;
  const { TEST_DATABASE_URL: given, TEST_REDIS_URL: redisUrl } = process.env;
  const prefix = `vendor_test_${randomBytes(6).toString('hex')}`;
  run.provide('prefix', prefix);
  const cluster = given ? undefined : await startTemporaryCluster();
  const serverUrl = given || (cluster?.url ?? '');
  // Workers get the variables of this process.
  process.env.TEST_DATABASE_URL = serverUrl;
  const template = await createScratchDatabase(serverUrl, { prefix, isDurable: false });
  await withSchema(new pg.Client({ connectionString: template.url }));
  run.provide('database', { serverUrl, template: template.name });
  // Databases that files of a worker share still exist when the worker ends.
  return async () => {
    await Promise.all([dropDatabases(serverUrl, prefix), redisUrl && unlinkAll(redisUrl, prefix)]);
    await cluster?.close();
  };
}

async function withSchema(client: pg.Client): Promise<void> {
  await client.connect();
  try {
    await applySchema(client);
  } finally {
    await client.end();
  }
}
