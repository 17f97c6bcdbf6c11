import { availableParallelism, cpus, totalmem } from 'node:os';
import pg from 'pg';
import type { BenchOptions } from './bench-options.ts';

const GIB = 1024 ** 3;

/** Describes the measured machine in one line. Throws if the database can't be reached. */
export async function describeMachine({ database, redis }: BenchOptions): Promise<string> {
  const cores = availableParallelism();
  return [
    `${cpus()[0]?.model.trim() ?? 'unknown CPU'}, ${cores} ${cores === 1 ? 'core' : 'cores'}`,
    `${Math.round(totalmem() / GIB)} GiB`,
    `Node ${process.versions.node}`,
    `PostgreSQL ${await readVersion(database)}`,
    redis === 'memory' ? 'embedded Redis' : 'real Redis',
  ].join(' · ');
}

async function readVersion(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version.split(' ')[0] ?? 'unknown';
  } finally {
    await client.end();
  }
}
