/** `.local/`: the data that a developer's start keeps, outside the repository. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RedisAddress } from '../lib/redis.ts';
import { ROOT } from './deployment.ts';
import { FolderInUse, lockFolder } from './lock-folder.ts';

export const LOCAL_FOLDER = join(ROOT, '.local');
const RUNNING_FILE = join(LOCAL_FOLDER, 'running.json');
/** Addresses and secrets of the service that `npm run dev` runs. */
export const DEV_FILE = join(LOCAL_FOLDER, 'dev.json');
export const DATABASE_FOLDER = join(LOCAL_FOLDER, 'database');

/** The addresses of the database and the Redis of a running `npm run dev`. */
export interface Running {
  pid: number;
  url: string;
  endpoint: string;
  redis: RedisAddress;
}

/** The last `npm run dev`, if it is still running. */
export async function readRunning(): Promise<Running | undefined> {
  try {
    const running = JSON.parse(await readFile(RUNNING_FILE, 'utf8')) as Running;
    return isAlive(running.pid) ? running : undefined;
  } catch {
    return undefined;
  }
}

/** Registers this process for `npm run demo` and `npm run content:publish`. Returns a function that unregisters it. */
export async function writeRunning(addresses: Omit<Running, 'pid'>): Promise<() => Promise<void>> {
  await mkdir(LOCAL_FOLDER, { recursive: true });
  await writeFile(RUNNING_FILE, JSON.stringify({ pid: process.pid, ...addresses }), { mode: 0o600 });
  return () => rm(RUNNING_FILE, { force: true });
}

/** Takes `.local/` for this process: two would overwrite each other's settings. Returns what gives it back. */
export function lockLocalFolder(folder = LOCAL_FOLDER): () => void {
  try {
    return lockFolder(folder);
  } catch (error) {
    if (!(error instanceof FolderInUse)) throw error;
    throw new Error(
      `Process ${error.holder} uses .local/ of this checkout already: npm run dev runs once. Stop that one first; nothing of it was changed.`,
    );
  }
}

function isAlive(pid: number): boolean {
  // Of a file that is empty or gone. Signal 0 to process 0 would ask about this process's own group.
  if (!(pid > 0)) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
