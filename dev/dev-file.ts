/** The settings that `npm run dev` keeps in `.local/` between starts. */
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DEV_FILE, LOCAL_FOLDER } from '../tooling/local-folder.ts';
import type { DemoAccount } from './demo-account.ts';

const AUTH_KEY_FILE = join(LOCAL_FOLDER, 'auth-key');
export const MAIL_FOLDER = join(LOCAL_FOLDER, 'mail');

export interface DevFile extends DemoAccount {
  baseUrl: string;
  contentBaseUrl: string;
}

/** The settings of an earlier start, as far as they can be read. */
export async function readDevFile(): Promise<Partial<DevFile>> {
  try {
    return JSON.parse(await readFile(DEV_FILE, 'utf8')) as Partial<DevFile>;
  } catch {
    return {};
  }
}

/** Only the owner may read the file, since it holds a token. */
export async function writeDevFile(content: DevFile): Promise<void> {
  await mkdir(LOCAL_FOLDER, { recursive: true });
  await writeFile(DEV_FILE, `${JSON.stringify(content, null, 2)}\n`, { mode: 0o600 });
}

/** The key for sessions and second factors. The first start creates it; later starts reuse it, so that those in the database stay valid. */
export async function readAuthKey(): Promise<string> {
  await mkdir(LOCAL_FOLDER, { recursive: true });
  const key = randomBytes(32).toString('hex');
  await writeFile(AUTH_KEY_FILE, key, { mode: 0o600, flag: 'wx' }).catch(() => undefined);
  return readFile(AUTH_KEY_FILE, 'utf8');
}
