import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ROOT } from '../../tooling/deployment.ts';
import { lockLocalFolder } from '../../tooling/local-folder.ts';
import { FolderInUse, lockFolder } from '../../tooling/lock-folder.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'vendor-lock-'));
});
afterEach(() => rm(folder, { recursive: true }));

const CODE = `const { lockFolder } = await import('${join(ROOT, 'tooling/lock-folder.ts')}');
lockFolder(process.argv[1]); console.log('locked'); setInterval(() => {}, 1000);`;

/** A process that has the folder. */
async function startHolder() {
  const child = spawn(process.execPath, ['--input-type=module', '-e', CODE, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(child.stdout, 'data');
  return child;
}

test('a folder of another process is refused with its id, and free when that one is killed', async () => {
  const child = await startHolder();
  const faults = [() => lockFolder(folder), () => lockLocalFolder(folder)].map((lock) => {
    try {
      lock();
      return undefined;
    } catch (error) {
      return error;
    }
  });
  expect(faults[0]).toBeInstanceOf(FolderInUse);
  expect(faults[0]).toMatchObject({ holder: child.pid });
  expect(String(faults[1])).toContain(`Process ${child.pid} uses .local/`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  lockFolder(folder)();
});

test('this process has it once, and may take it again after it gave it back', () => {
  const release = lockFolder(folder);
  expect(() => lockFolder(folder)).toThrow(`is in use by process ${process.pid}`);
  lockFolder(folder, 'another')();
  release();
  lockFolder(folder)();
});
