import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { lockLocalFolder } from '../../tooling/local-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vendor-local-'));
});
afterEach(() => rm(folder, { recursive: true }));

const holder = () => readFile(join(folder, 'lock'), 'utf8');

test('a folder that another process uses is refused, with its id, and nothing is changed', async () => {
  await writeFile(join(folder, 'lock'), String(process.ppid));
  await expect(lockLocalFolder(folder)).rejects.toThrow(`Process ${process.ppid} uses .local/`);
  expect(await holder()).toBe(String(process.ppid));
});

/** Above the largest process id of Linux. */
const NOBODY = 2 ** 22 + 1;

test.each(['', String(NOBODY)])('a lock that a killed process left (%j) is taken over', async (left) => {
  await writeFile(join(folder, 'lock'), left);
  const unlock = await lockLocalFolder(folder);
  expect(await holder()).toBe(String(process.pid));
  await unlock();
  await expect(holder()).rejects.toThrow('ENOENT');
});
