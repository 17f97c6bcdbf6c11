import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findPort } from '../../dev/free-port.ts';

const PATIENCE_MS = 60_000;
const POLL_MS = 200;
/** The account that Umami's first migration makes. */
const FIRST_ACCOUNT = { username: 'admin', password: 'umami' };

export interface Umami {
  baseUrl: string;
  pid: number;
  /** Asks Umami's API as its administrator. Throws if the status isn't 200. */
  get(path: string): Promise<unknown>;
  close(): Promise<void>;
}

/** Starts the Umami that was built in `folder` on a database that has its schema. */
export async function startUmami(folder: string, databaseUrl: string): Promise<Umami> {
  const next = join(folder, 'node_modules/next/dist/bin/next');
  if (!existsSync(next) || !existsSync(join(folder, '.next/BUILD_ID')))
    throw new Error(`${folder} has no Umami that is built. bench/peers/README.md says how to build it.`);
  const port = await findPort(0, '--port');
  const child = spawn(process.execPath, [next, 'start', '--port', `${port}`, '--hostname', '127.0.0.1'], {
    cwd: folder,
    env: {
      PATH: process.env.PATH,
      NODE_ENV: 'production',
      DATABASE_URL: databaseUrl,
      APP_SECRET: randomBytes(32).toString('hex'),
      ...{ DISABLE_TELEMETRY: '1', DISABLE_UPDATES: '1', NEXT_TELEMETRY_DISABLED: '1' },
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const baseUrl = `http://127.0.0.1:${port}`;
  try {
    await awaitAnswer(child, `${baseUrl}/api/heartbeat`);
    const token = await signIn(baseUrl);
    return {
      baseUrl,
      pid: child.pid as number,
      get: async (path) => {
        const response = await fetch(baseUrl + path, { headers: { Authorization: `Bearer ${token}` } });
        const text = await response.text();
        if (!response.ok) throw new Error(`Umami, ${path}: ${response.status} ${text.slice(0, 300)}`);
        return JSON.parse(text);
      },
      close: () => stop(child),
    };
  } catch (error) {
    await stop(child);
    throw error;
  }
}

async function awaitAnswer(child: ChildProcess, url: string): Promise<void> {
  for (const begun = performance.now(); performance.now() - begun < PATIENCE_MS; await wait(POLL_MS)) {
    if (child.exitCode !== null) throw new Error(`Umami ended with code ${child.exitCode}`);
    const status = await fetch(url).then(
      (response) => response.status,
      () => undefined,
    );
    if (status === 200) return;
  }
  throw new Error('Umami did not answer within a minute');
}

async function signIn(baseUrl: string): Promise<string> {
  const response = await fetch(`${baseUrl}/api/auth/login`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(FIRST_ACCOUNT),
  });
  if (!response.ok) throw new Error(`Umami refuses its first account: ${response.status}`);
  return (await response.json()).token;
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  await ended;
}
