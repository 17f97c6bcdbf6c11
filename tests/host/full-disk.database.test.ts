/** Disks that are full while page views come. Each disk is a small one in memory, so only root can run this. */
import { execFile } from 'node:child_process';
import { chmod, mkdir, mkdtemp, open, rm, rmdir, statfs, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test } from 'vitest';
import { accept, expectCounted, makeSite, sendPageViews } from './page-views.ts';
import { type HostFolder, makeHostFolder } from './running-host.ts';

const TIMEOUT_MS = 240_000;
const MEBIBYTE = 1024 * 1024;
const DISK_MIB = 400;

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn('Left out: only root may mount a small disk.');

interface Disk {
  path: string;
  /** Leaves no room. */
  fill(): Promise<void>;
  /** Gives the room back. */
  clear(): Promise<void>;
  remove(): Promise<void>;
}

async function mountDisk(): Promise<Disk> {
  const path = await mkdtemp(join(tmpdir(), 'vendor-disk-'));
  await run('mount', ['-t', 'tmpfs', '-o', `size=${DISK_MIB}m,mode=755`, 'tmpfs', path]);
  const ballast = join(path, 'ballast');
  return {
    path,
    fill: async () => {
      const file = await open(ballast, 'w');
      try {
        const { bavail, bsize } = await statfs(path);
        const block = Buffer.alloc(MEBIBYTE);
        for (let left = bavail * bsize; left > 0; left -= MEBIBYTE) await file.write(block);
        // What was freed in between.
        for (;;) await file.write(Buffer.alloc(bsize));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
      } finally {
        await file.close();
      }
    },
    clear: () => rm(ballast, { force: true }),
    remove: async () => {
      await run('umount', [path]);
      await rmdir(path);
    },
  };
}

let folder: HostFolder | undefined;
let disk: Disk | undefined;
afterEach(async () => {
  await disk?.clear();
  await folder?.close();
  await disk?.remove();
  folder = undefined;
  disk = undefined;
});

test.runIf(isRoot)(
  'PostgreSQL without room on its disk: page views wait in the queue',
  {
    timeout: TIMEOUT_MS,
  },
  async () => {
    disk = await mountDisk();
    folder = await makeHostFolder();
    await mkdir(folder.path);
    const data = join(disk.path, 'postgres');
    await mkdir(data);
    await symlink(data, join(folder.path, 'postgres'));
    const host = await folder.start({ PROCESSES: '1' });
    const siteId = await makeSite(folder);
    const views = sendPageViews(host.origin, siteId);
    await accept(views, 50);
    await disk.fill();
    const { length } = host.lines;
    await accept(views, 500);
    expect(host.lines.slice(length).join('\n')).toContain('No space left on device');
    await disk.clear();
    await accept(views, 50);
    await views.stop();
    await expectCounted(folder, siteId, views.accepted);
  },
);

test.runIf(isRoot)(
  'no room at all: what can’t be kept is refused, and what was accepted is counted',
  {
    timeout: TIMEOUT_MS,
  },
  async () => {
    disk = await mountDisk();
    await chmod(disk.path, 0o755);
    folder = await makeHostFolder(undefined, disk.path);
    const host = await folder.start({ PROCESSES: '1' });
    const siteId = await makeSite(folder);
    const views = sendPageViews(host.origin, siteId);
    await accept(views, 50);
    await disk.fill();
    await expect.poll(() => views.others[503] ?? 0, { timeout: 120_000 }).toBeGreaterThan(50);
    await disk.clear();
    await accept(views, 50);
    await views.stop();
    expect(Object.keys(views.others)).toEqual(['503']);
    await expectCounted(folder, siteId, views.accepted);
  },
);
