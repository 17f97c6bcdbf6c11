/** `.local/`: the data that a developer's start keeps, outside the repository. */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RedisAddress } from '../lib/redis.ts';
import { ROOT } from './deployment.ts';

export const LOCAL_FOLDER = join(ROOT, '.local');
const LOCK_FILE = join(LOCAL_FOLDER, 'lock');
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
 * Locks the database under `.local/`, which two processes would destroy. Throws if another process has it; returns a function that
 * unlocks it.
 */
export async function lockDatabase(): Promise<() => Promise<void>> {
  await mkdir(LOCAL_FOLDER, { recursive: true });
  const holder = Number(await readFile(LOCK_FILE, 'utf8').catch(() => '0'));
  if (holder > 0 && holder !== process.pid && isAlive(holder)) {
    throw new Error(
      `The database under .local/ is in use by process ${holder}. Stop that one, or start with --memory or --database.`,
    );
  }
  await writeFile(LOCK_FILE, String(process.pid));
  return () => rm(LOCK_FILE, { force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
