/** `npm start` as a process of its own, in a data folder of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { findPort } from '../../dev/free-port.ts';
import { ROOT } from '../../tooling/deployment.ts';

export interface RunningHost {
  origin: string;
  pid: number;
  /** What it has printed. */
  lines: string[];
  /** The process ids of its serving processes. */
  serving(): Promise<number[]>;
  /** The process id of its PostgreSQL; 0 where it has none. */
  postgres(): Promise<number>;
  /** Its exit code, or the signal that ended it. */
  ended: Promise<number | string>;
  kill(signal: NodeJS.Signals): void;
}

export interface HostFolder {
  path: string;
  /** Starts in the folder, and resolves when it is ready. Rejects with what it printed if it ends before. */
  start(env?: Record<string, string>): Promise<RunningHost>;
  /** Asks its database: of its own, or of `databaseUrl`. */
  query<Row extends object>(text: string, values?: unknown[]): Promise<Row[]>;
  /** Ends what still runs. */
  end(): Promise<void>;
  /** Ends what still runs, and removes the folder. */
  close(): Promise<void>;
}

const READY_MS = 90_000;

/**
 * @param databaseUrl a database on a server; without one it has a PostgreSQL of its own
 * @param parent where the folder is made
 */
export async function makeHostFolder(databaseUrl?: string, parent = tmpdir()): Promise<HostFolder> {
  const path = await mkdtemp(join(parent, 'vendor-host-'));
  await chmod(path, 0o755);
  const data = join(path, 'data');
  const port = await findPort(0, 'port');
  const origin = `http://127.0.0.1:${port}`;
  const children = new Set<ChildProcess>();
  const own = `postgres://vendor@localhost/vendor?host=${encodeURIComponent(join(data, 'postgres'))}`;
  const end = async (): Promise<void> => {
    for (const child of children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      const ended = once(child, 'exit');
      child.kill('SIGTERM');
      await ended;
    }
    children.clear();
    await endPostgres(data);
  };
  return {
    path: data,
    start: async (env = {}) => {
      const child = spawn(process.execPath, [join(ROOT, 'host/main.ts')], {
        env: {
          PATH: process.env.PATH ?? '',
          DATA_FOLDER: data,
          LISTEN: `127.0.0.1:${port}`,
          PUBLIC_URL: origin,
          ...(databaseUrl !== undefined && { DATABASE_URL: databaseUrl }),
          ...env,
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      children.add(child);
      return awaitReady(child, { origin, data });
    },
    query: async (text, values = []) => {
      const client = new pg.Client({ connectionString: databaseUrl ?? own });
      client.on('error', () => {});
      await client.connect();
      try {
        return (await client.query(text, values)).rows;
      } finally {
        await client.end();
      }
    },
    end,
    close: async () => {
      await end();
      await rm(path, { recursive: true });
    },
  };
}

async function awaitReady(
  child: ChildProcess,
  { origin, data }: { origin: string; data: string },
): Promise<RunningHost> {
  const lines: string[] = [];
  const ended = once(child, 'exit').then(([code, signal]): number | string => signal ?? code);
  for (const stream of [child.stdout, child.stderr])
    if (stream !== null) createInterface({ input: stream }).on('line', (line) => lines.push(line));
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  const until = performance.now() + READY_MS;
  while (!lines.some((line) => line.startsWith('ready in'))) {
    if (isOver) throw new Error(lines.join('\n'));
    if (performance.now() > until) throw new Error(`not ready:\n${lines.join('\n')}`);
    await wait(20);
  }
  const pid = child.pid as number;
  return {
    ...{ origin, pid, lines, ended },
    serving: () => childrenOf(pid, 'host/main.ts'),
    postgres: async () => (await postmasterOf(data)) ?? 0,
    kill: (signal) => void child.kill(signal),
  };
}

const postmasterOf = async (data: string): Promise<number | undefined> => {
  const text = await readFile(join(data, 'postgres/postmaster.pid'), 'utf8').catch(() => undefined);
  return text === undefined ? undefined : Number(text.split('\n')[0]);
};

/** Of a start that was killed. */
async function endPostgres(data: string): Promise<void> {
  const pid = await postmasterOf(data);
  if (pid === undefined) return;
  try {
    process.kill(pid, 'SIGQUIT');
    for (;;) {
      process.kill(pid, 0);
      await wait(50);
    }
  } catch {
    // It has ended.
  }
}

/** Children whose command line has this in it. */
async function childrenOf(parent: number, program: string): Promise<number[]> {
  const pids = (await readdir('/proc')).filter((entry) => /^\d+$/.test(entry));
  const found = await Promise.all(
    pids.map(async (pid) => {
      const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
      const [, parentOf] = /\) \S (\d+) /.exec(stat) ?? [];
      if (Number(parentOf) !== parent) return [];
      const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
      return command.includes(program) ? [Number(pid)] : [];
    }),
  );
  return found.flat();
}
