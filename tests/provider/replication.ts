/** How far a replica is behind. */
import pg from 'pg';
import { expect } from 'vitest';
import type { Sql } from '../../lib/db.ts';
import type { PostgresReplica } from './start-postgres.ts';

/** Waits until the replica has everything. */
export async function awaitLevel(primary: Sql, replica: Sql): Promise<void> {
  const [at] = await primary`select pg_current_wal_lsn()::text as lsn`;
  await expect
    .poll(async () => {
      const [row] = await replica`select pg_last_wal_replay_lsn() >= ${at?.lsn}::pg_lsn as is_level`;
      return row?.is_level;
    })
    .toBe(true);
}

/** Runs `work` while the replica takes nothing new. */
export async function whilePaused(
  { url }: Pick<PostgresReplica, 'url'>,
  work: () => Promise<void>,
): Promise<void> {
  const client = new pg.Client(url);
  await client.connect();
  const readState = async (): Promise<string> =>
    (await client.query('select pg_get_wal_replay_pause_state() as state')).rows[0]?.state;
  try {
    await client.query('select pg_wal_replay_pause()');
    await expect.poll(readState).toBe('paused');
    await work();
  } finally {
    await client.query('select pg_wal_replay_resume()');
    await client.end();
  }
}
