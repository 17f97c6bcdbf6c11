/** The database, the queue and the secrets that a backup copies, or that a restore fills. */
import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { QueueLine } from '../../tooling/backup/backup-file.ts';
import { FolderInUse } from '../../tooling/lock-folder.ts';
import { runningClusterUrl, startCluster } from '../../tooling/postgres/cluster.ts';
import { findSecrets, openDataFolder, putSecrets, type Secrets } from '../data-folder.ts';
import { readQueueFile } from '../queue/queue-file.ts';
import type { Settings } from '../settings.ts';

const SECRETS_FILE = 'secrets.json';

export interface BackupSource {
  url: string;
  /** Reads the queue when it is iterated. */
  queue: Iterable<QueueLine>;
  secrets(): Partial<Secrets>;
  close(): Promise<void>;
}

/**
 * What `npm start` serves with these settings, whether it runs or not; or a database by its address alone. Makes no folder.
 *
 * @throws a sentence for the operator if there is neither
 */
export async function findSource(settings: Settings): Promise<BackupSource> {
  const path = resolve(settings.DATA_FOLDER);
  const hasOwnDatabase = existsSync(join(path, 'postgres'));
  if (settings.DATABASE_URL === undefined && !hasOwnDatabase)
    throw new Error(
      `There is no database in DATA_FOLDER ${path}. Set DATA_FOLDER or DATABASE_URL as for npm start.`,
    );
  // A folder with a database of its own has the queue and the secrets of that one.
  const isOfFolder = settings.DATABASE_URL === undefined || !hasOwnDatabase;
  const queueFile = join(path, 'queue.sqlite');
  const { url, close } =
    settings.DATABASE_URL === undefined
      ? await openCluster(path)
      : { url: settings.DATABASE_URL, close: async () => {} };
  return {
    url,
    queue: isOfFolder && existsSync(queueFile) ? readQueueFile(queueFile) : [],
    secrets: () => findSecrets(isOfFolder ? join(path, SECRETS_FILE) : undefined, settings),
    close,
  };
}

/** The cluster of the running service, or else started for this. */
async function openCluster(path: string): Promise<{ url: string; close(): Promise<void> }> {
  try {
    return await startOwnCluster(path);
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    return { url: await runningClusterUrl(path), close: async () => {} };
  }
}

async function startOwnCluster(path: string): Promise<{ url: string; close(): Promise<void> }> {
  const folder = openDataFolder(path);
  // Without it a signal would leave the cluster behind: it ends with the event `exit`.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1));
  try {
    const cluster = await startCluster(folder.path);
    return {
      url: cluster.url,
      close: async () => {
        await cluster.close();
        folder.release();
      },
    };
  } catch (error) {
    folder.release();
    throw error;
  }
}

export interface RestoreTarget {
  url: string;
  /** Throws a sentence, and changes nothing, if there are others. */
  putSecrets(secrets: Readonly<Record<string, string>>): void;
  close(): Promise<void>;
}

/** The database of `DATABASE_URL`, or the one of the data folder, which no start may have meanwhile. */
export async function openTarget(settings: Settings): Promise<RestoreTarget> {
  const path = resolve(settings.DATA_FOLDER);
  const file = join(path, SECRETS_FILE);
  if (settings.DATABASE_URL === undefined) {
    const { url, close } = await startOwnCluster(path);
    return { url, close, putSecrets: (secrets) => putSecrets(file, secrets) };
  }
  return {
    url: settings.DATABASE_URL,
    putSecrets: (secrets) => {
      const folder = openDataFolder(path);
      try {
        putSecrets(file, secrets);
      } finally {
        folder.release();
      }
    },
    close: async () => {},
  };
}
