/** `npm run backup` of a running `npm start`, and `npm run restore` into another data folder: people, keys and reports are the same. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findPort } from '../../dev/free-port.ts';
import { ROOT } from '../../tooling/deployment.ts';

const LONG_MS = 300_000;
const EVENTS = 5;

interface Host {
  url: string;
  child: ChildProcess;
  stop(): Promise<void>;
}

let folder: string;
const running: Host[] = [];
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vendor-house-'));
});
afterAll(async () => {
  await Promise.all(running.map(({ stop }) => stop()));
  await rm(folder, { recursive: true });
}, LONG_MS);

/** Without what this machine has set for tests. */
const envOf = (data: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  DATA_FOLDER: join(folder, data),
});

async function start(data: string): Promise<Host> {
  const port = await findPort(0, 'LISTEN');
  const url = `http://127.0.0.1:${port}`;
  const env = { ...envOf(data), LISTEN: `127.0.0.1:${port}`, PUBLIC_URL: url, PROCESSES: '1' };
  const child = spawn(process.execPath, ['host/main.ts'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'exit');
  const host = {
    url,
    child,
    stop: async () => {
      child.kill('SIGTERM');
      await ended;
    },
  };
  running.push(host);
  const said: string[] = [];
  child.stderr.on('data', (chunk) => said.push(String(chunk)));
  for await (const line of createInterface(child.stdout)) {
    said.push(line);
    if (line.startsWith('ready')) {
      child.stdout.resume();
      return host;
    }
  }
  throw new Error(`npm start ended before it was ready:\n${said.join('\n')}`);
}

const run = (script: string, data: string, args: string[], env: NodeJS.ProcessEnv = {}) =>
  promisify(execFile)(process.execPath, [join(ROOT, 'scripts', `${script}.ts`), ...args], {
    cwd: folder,
    env: { ...envOf(data), ...env },
  });

async function ask<Data>({ url }: Host, path: string, init: RequestInit): Promise<Data> {
  const response = await fetch(`${url}${path}`, init);
  const text = await response.text();
  if (!response.ok) throw new Error(`${path}: ${response.status} ${text}`);
  return JSON.parse(text) as Data;
}

test(
  'a house moves while it is lived in',
  async () => {
    const old = await start('old');
    const database = `postgres://vendor@localhost/vendor?host=${encodeURIComponent(join(folder, 'old', 'postgres'))}`;
    const account = await run('account', 'old', ['create', 'owner@example.org'], { DATABASE_URL: database });
    const token = /vapi_\S+/.exec(account.stdout)?.[0];
    const json = { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' };
    const projects = /project (\S+)/.exec(account.stdout)?.[1];
    const made = await ask<{ data: { id: string } }>(old, '/api/v1/sites', {
      ...{ method: 'POST', headers: json },
      body: JSON.stringify({ domain: 'house.example', name: 'House', projectId: projects }),
    });
    const site = `/api/v1/sites/${made.data.id}`;
    await ask(old, `${site}/events`, {
      ...{ method: 'POST', headers: json },
      body: JSON.stringify({
        events: Array.from({ length: EVENTS }, () => ({ id: crypto.randomUUID(), name: 'Moved in' })),
      }),
    });
    const report = (host: Host) =>
      ask<{ data: { name: string; events: number }[] }>(host, `${site}/analytics/events?period=24h`, {
        headers: json,
      });
    await expect
      .poll(async () => (await report(old)).data, { timeout: LONG_MS })
      .toMatchObject([{ name: 'Moved in' }]);
    const before = (await report(old)).data;

    const file = join(folder, 'house.backup');
    const { stdout } = await run('backup', 'old', [file, '--with-secrets']);
    expect(stdout).toMatch(/house\.backup: [\d,]+ rows and 0 messages of the queue/);
    expect(stdout).toContain('It holds secrets');
    expect((await stat(file)).mode & 0o777).toBe(0o600);
    await expect(run('backup', 'old', [file])).rejects.toThrow('is there already');
    await expect(run('backup', 'old', [])).rejects.toThrow('npm run backup -- FILE');
    const inUse = new RegExp(`is in use by process ${old.child.pid}`);
    await expect(run('restore', 'old', [file])).rejects.toThrow(inUse);

    const damaged = join(folder, 'damaged.backup');
    const bytes = await readFile(file);
    await writeFile(damaged, bytes.subarray(0, -1));
    await expect(run('restore', 'new', [damaged])).rejects.toThrow('is cut off or was changed');
    await expect(stat(join(folder, 'new'))).rejects.toThrow('ENOENT');
    const checked = await run('restore', 'new', [file, '--check']);
    expect(checked.stdout).toMatch(/ 1 {2}sites\n/);
    await expect(stat(join(folder, 'new'))).rejects.toThrow('ENOENT');

    await run('restore', 'new', [file]);
    await expect(run('restore', 'new', [file])).rejects.toThrow('isn’t empty');
    const secrets = (data: string) => readFile(join(folder, data, 'secrets.json'), 'utf8');
    expect(await secrets('new')).toBe(await secrets('old'));
    // Of a folder that nobody serves.
    await run('backup', 'new', [join(folder, 'again.backup')]);

    const moved = await start('new');
    expect((await report(moved)).data).toEqual(before);
    await moved.stop();
  },
  LONG_MS,
);

test('without a database, a backup says what to set, and makes no folder', async () => {
  await expect(run('backup', 'none', [join(folder, 'none.backup')])).rejects.toThrow(
    /There is no database in DATA_FOLDER .*none\. Set DATA_FOLDER or DATABASE_URL/,
  );
  await expect(stat(join(folder, 'none'))).rejects.toThrow('ENOENT');
});
