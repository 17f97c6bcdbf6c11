/** `.local/`: the data that a developer's start keeps, outside the repository. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RedisAddress } from '../lib/redis.ts';
import { ROOT } from './deployment.ts';

export const LOCAL_FOLDER = join(ROOT, '.local');
const RUNNING_FILE = join(LOCAL_FOLDER, 'running.json');
/** Addresses and secrets of the service that `npm run dev` runs. */
export const DEV_FILE = join(LOCAL_FOLDER, 'dev.json');
export const DATABASE_FOLDER = join(LOCAL_FOLDER, 'postgres');

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

/**
 * Locks `.local/` for this process: two would overwrite each other's settings, and destroy a database there. Throws if another process has
 * it; returns a function that unlocks it.
 */
export async function lockLocalFolder(folder = LOCAL_FOLDER): Promise<() => Promise<void>> {
  const file = join(folder, 'lock');
  await mkdir(folder, { recursive: true });
  for (;;) {
    const holder = await takeLock(file);
    if (holder === process.pid) return () => rm(file, { force: true });
    if (isAlive(holder))
      throw new Error(
        `Process ${holder} uses .local/ of this checkout already: npm run dev runs once. Stop that one first; nothing of it was changed.`,
      );
    await rm(file, { force: true });
  }
}

/** The process that has the lock. Only one of several that ask at once gets it. */
async function takeLock(file: string): Promise<number> {
  try {
    await writeFile(file, String(process.pid), { flag: 'wx' });
    return process.pid;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    return Number(await readFile(file, 'utf8').catch(() => ''));
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
