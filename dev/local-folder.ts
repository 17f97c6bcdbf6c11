/** `.local/`: what a developer's start keeps between times, outside the repository. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RedisAddress } from '../lib/redis.ts';
import { ROOT } from '../scripts/lib/deployment.ts';
import type { DemoAccount } from './demo-account.ts';

const FOLDER = join(ROOT, '.local');
const DEV_FILE = join(FOLDER, 'dev.json');
const LOCK_FILE = join(FOLDER, 'lock');
const RUNNING_FILE = join(FOLDER, 'running.json');
const AUTH_KEY_FILE = join(FOLDER, 'auth-key');
export const DATABASE_FOLDER = join(FOLDER, 'postgres');
export const MAIL_FOLDER = join(FOLDER, 'mail');

export interface DevFile extends DemoAccount {
  baseUrl: string;
  contentBaseUrl: string;
}

/** What an earlier start left, as far as it can be read. */
export async function readDevFile(): Promise<Partial<DevFile>> {
  try {
    return JSON.parse(await readFile(DEV_FILE, 'utf8')) as Partial<DevFile>;
  } catch {
    return {};
  }
}

/** Only its owner may read it: it holds a token. */
export async function writeDevFile(content: DevFile): Promise<void> {
  await mkdir(FOLDER, { recursive: true });
  await writeFile(DEV_FILE, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
}

/** The key of sessions and second factors, made at the first start: those that the kept database has stay good. */
export async function readAuthKey(): Promise<string> {
  await mkdir(FOLDER, { recursive: true });
  const key = randomBytes(32).toString('hex');
  await writeFile(AUTH_KEY_FILE, key, { mode: 0o600, flag: 'wx' }).catch(() => undefined);
  return readFile(AUTH_KEY_FILE, 'utf8');
}

/** Where a running `npm run dev` has its database and its Redis. */
export interface Running {
  pid: number;
  url: string;
  endpoint: string;
  redis: RedisAddress;
}

/** The last `npm run dev`, if it still runs. */
export async function readRunning(): Promise<Running | undefined> {
  try {
    const running = JSON.parse(await readFile(RUNNING_FILE, 'utf8')) as Running;
    return isAlive(running.pid) ? running : undefined;
  } catch {
    return undefined;
  }
}

/** Tells `npm run demo` and `npm run content:publish` of this process. Returns what takes it back. */
export async function writeRunning(addresses: Omit<Running, 'pid'>): Promise<() => Promise<void>> {
  await mkdir(FOLDER, { recursive: true });
  await writeFile(RUNNING_FILE, JSON.stringify({ pid: process.pid, ...addresses }), { mode: 0o600 });
  return () => rm(RUNNING_FILE, { force: true });
}

/** Claims the database under `.local/`, which two processes would ruin. Throws if another one has it; returns a release. */
export async function lockDatabase(): Promise<() => Promise<void>> {
  await mkdir(FOLDER, { recursive: true });
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
