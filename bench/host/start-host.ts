/** `npm start` as a program of its own, with a folder of its own, for benchmarks. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { findPort } from '../../dev/free-port.ts';
import { ROOT } from '../../tooling/deployment.ts';

export interface StartedHost {
  origin: string;
  pid: number;
  close(): Promise<void>;
}

/** Resolves when it answers. `url` is the database's. */
export async function startHost(url: string, processes: number): Promise<StartedHost> {
  const folder = await mkdtemp(join(tmpdir(), 'vendor-bench-'));
  const port = await findPort(0, 'port');
  const origin = `http://127.0.0.1:${port}`;
  const child = spawn(process.execPath, [join(ROOT, 'host/main.ts')], {
    env: {
      ...process.env,
      DATABASE_URL: url,
      DATA_FOLDER: folder,
      LISTEN: `127.0.0.1:${port}`,
      PUBLIC_URL: origin,
      PROCESSES: String(processes),
    },
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  await awaitAnswer(`${origin}/api/health`, child);
  return {
    origin,
    pid: child.pid as number,
    close: async () => {
      await end(child);
      await rm(folder, { recursive: true });
    },
  };
}

/** Waits until a program answers; throws if it ends before. */
export async function awaitAnswer(url: string, child: ChildProcess, method = 'GET'): Promise<void> {
  for (;;) {
    if (child.exitCode !== null) throw new Error(`The server ended with code ${child.exitCode}.`);
    const answer = await fetch(url, { method, ...(method === 'POST' && { body: '{}' }) }).catch(
      () => undefined,
    );
    await answer?.body?.cancel();
    if (answer !== undefined && answer.status < 500) return;
    await wait(100);
  }
}

export async function end(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}
