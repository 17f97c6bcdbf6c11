/** Where a cluster's files are, and who may reach them: PostgreSQL refuses to run as root. */
import { createHash } from 'node:crypto';
import { chmod, chown, cp, lstat, mkdir, readFile, readlink, rm, stat, symlink } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';

export interface User {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root: then as whom. Undefined: as whoever runs this. */
export async function findUser(): Promise<User | undefined> {
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
export interface Home {
  data: string;
  programs: string;
}

/** Where a start by root keeps what its PostgreSQL couldn't reach below a folder that is closed to other users, such as /root. */
const OPEN_FOLDER = '/var/lib/vendor';

/** Makes the folders that the user of the database can reach. */
export async function prepareHome(folder: string, programs: string, user: User | undefined): Promise<Home> {
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
