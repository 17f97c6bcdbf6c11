/**
 * A PostgreSQL server of its own that asks everybody for a password, as a hosted one does: the shared test server lets everybody in. And
 * replicas of it. Uses the programs of Debian's `postgresql`.
 */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { chown, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { findPort } from '../../dev/free-port.ts';

const VERSIONS = '/usr/lib/postgresql';
const OWNER = 'owner';

export interface PostgresServer {
  /** A database, as the owner, who may make roles. */
  url: string;
  /** Starts a server that copies everything from this one. Close it first. */
  replicate(): Promise<PostgresReplica>;
  close(): Promise<void>;
}

export interface PostgresReplica extends Pick<PostgresServer, 'url' | 'close'> {
  /** Signals the server and what it has started. `SIGSTOP`: it answers nothing until `SIGCONT`. */
  signal(signal: 'SIGSTOP' | 'SIGCONT'): Promise<void>;
}

/** The folder of the newest version's programs. */
function findPrograms(): string {
  const newest = readdirSync(VERSIONS)
    .toSorted((a, b) => Number(b) - Number(a))
    .at(0);
  if (newest === undefined) throw new Error(`${VERSIONS} has no PostgreSQL: apt-get install postgresql`);
  return join(VERSIONS, newest, 'bin');
}

export async function startPostgres(): Promise<PostgresServer> {
  const programs = findPrograms();
  // The server refuses to run as root: then it runs as Debian's user for it.
  const run = promisify(execFile);
  const isRoot = userInfo().uid === 0;
  const idOf = async (flag: string): Promise<number> => Number((await run('id', [flag, 'postgres'])).stdout);
  const owner = isRoot ? { uid: await idOf('-u'), gid: await idOf('-g') } : {};
  const folder = await mkdtemp(join(tmpdir(), 'vendor-postgres-'));
  const password = 'the owner’s';
  const passwordFile = join(folder, 'password');
  const data = join(folder, 'data');
  await writeFile(passwordFile, password, { mode: 0o644 });
  if (owner.uid !== undefined && owner.gid !== undefined) await chown(folder, owner.uid, owner.gid);
  await run(
    join(programs, 'initdb'),
    [
      '-D',
      data,
      '-U',
      OWNER,
      '-E',
      'UTF8',
      '--locale=C.UTF-8',
      '--auth=scram-sha-256',
      `--pwfile=${passwordFile}`,
    ],
    { ...owner, cwd: folder },
  );
  const serve = async (files: string) => {
    const port = await findPort(0, 'the port');
    const server = spawn(
      join(programs, 'postgres'),
      ['-D', files, '-p', String(port), '-k', folder, '-c', 'listen_addresses=127.0.0.1', '-c', 'fsync=off'],
      { ...owner, cwd: folder, stdio: 'ignore' },
    );
    const url = `postgres://${OWNER}:${encodeURIComponent(password)}@127.0.0.1:${port}/postgres`;
    await answers(url);
    return {
      url,
      pid: server.pid as number,
      end: async () => {
        const closed = once(server, 'close');
        // At once, also with connections.
        server.kill('SIGQUIT');
        await closed;
      },
    };
  };
  const { url, end } = await serve(data);
  return {
    url,
    replicate: async () => {
      const copy = join(folder, 'replica');
      const backup = ['-d', url, '-D', copy, '--write-recovery-conf', '--checkpoint=fast'];
      await run(join(programs, 'pg_basebackup'), backup, { ...owner, cwd: folder });
      const replica = await serve(copy);
      return {
        url: replica.url,
        signal: async (signal) => {
          const { stdout } = await run('pgrep', ['-P', String(replica.pid)]);
          for (const pid of [replica.pid, ...stdout.trim().split('\n').map(Number)])
            process.kill(pid, signal);
        },
        close: replica.end,
      };
    },
    close: async () => {
      await end();
      await rm(folder, { recursive: true });
    },
  };
}

async function answers(url: string): Promise<void> {
  for (let tries = 100; ; tries -= 1) {
    const client = new pg.Client({ connectionString: url });
    client.on('error', () => {});
    try {
      await client.connect();
      return;
    } catch (error) {
      if (tries === 0) throw error;
      await new Promise((resolve) => setTimeout(resolve, 100));
    } finally {
      await client.end().catch(() => {});
    }
  }
}
