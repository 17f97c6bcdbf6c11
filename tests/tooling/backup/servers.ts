/** The two kinds of servers between which backups go: the run's own, perhaps of an older version, and the one that npm brings. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { createScratchDatabase, type ScratchDatabase } from '../../../dev/scratch-database.ts';
import { type BackupFile, openBackupFile } from '../../../tooling/backup/backup-file.ts';
import { checkTarget, finishRestore, loadBackup } from '../../../tooling/backup/restore-backup.ts';
import { type BackupOptions, takeBackup } from '../../../tooling/backup/take-backup.ts';
import { type Cluster, startTemporaryCluster } from '../../../tooling/postgres/cluster.ts';
import { connectDirectly } from '../../../tooling/schema/connect-directly.ts';
import { SERVER } from '../../services/server.ts';

export interface Servers {
  /** Makes an empty database, which is dropped at the end. */
  create(on: 'server' | 'embedded'): Promise<string>;
  /** A path of no file. */
  newFile(): string;
}

/** Starts the embedded server before the tests of a file, and stops it after them. */
export function useServers(): () => Servers {
  const made: ScratchDatabase[] = [];
  let folder = '';
  let cluster: Cluster;
  let files = 0;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'vendor-backup-'));
    cluster = await startTemporaryCluster();
  });
  afterAll(async () => {
    for (const database of made) await database.drop();
    await cluster.close();
    await rm(folder, { recursive: true });
  });
  return () => ({
    create: async (on) => {
      const database = await createScratchDatabase(on === 'server' ? SERVER : cluster.url, {
        isDurable: false,
      });
      made.push(database);
      return database.url;
    },
    newFile: () => {
      files += 1;
      return join(folder, `${files}.backup`);
    },
  });
}

/** What `npm run backup` does. */
export async function backUp(url: string, path: string, options?: BackupOptions): Promise<BackupFile> {
  await connectDirectly(url, (client) => takeBackup(client, path, options));
  return openBackupFile(path);
}

/** What `npm run restore` does. */
export function restoreInto(url: string, backup: BackupFile) {
  return connectDirectly(url, async (client) => {
    if ((await checkTarget(client, backup)) === 'empty') await loadBackup(client, backup);
    return finishRestore(client, url, backup);
  });
}

/** A hash of the rows of each table, and its number of rows. Without the record of what was applied when. */
export async function readTables(client: pg.ClientBase): Promise<Record<string, string>> {
  const { rows } = await client.query<{ name: string }>(`
    select c.oid::regclass::text as name from pg_class c
    where c.relnamespace = current_schema()::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
      and c.relname not in ('schema_version', 'schema_migrations')`);
  const tables: Record<string, string> = {};
  for (const { name } of rows) {
    const { rows: sums } = await client.query<{ sum: string }>(
      `select count(*) || ' rows, ' || md5(coalesce(string_agg(t::text, '\n' order by t::text collate "C"), '')) as sum from ${name} t`,
    );
    tables[name] = sums[0]?.sum ?? '';
  }
  return tables;
}
