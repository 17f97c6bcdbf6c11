/** A copy of the repository, in which a test follows a recipe of docs/recipes/. */
import { spawn } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterAll, beforeAll } from 'vitest';
import { ROOT } from '../../tooling/deployment.ts';

const LEFT_OUT = ['node_modules', '.git', '.local', '.wrangler', 'dist'];

export interface RepositoryCopy {
  read(path: string): Promise<string>;
  write(path: string, text: string): Promise<void>;
  remove(path: string): Promise<void>;
  list(folder: string): Promise<string[]>;
  /** Inserts `text` before the first `mark` in a file. */
  insert(path: string, mark: string, text: string): Promise<void>;
  /** Runs a script. Returns what it printed and its exit code. */
  run(script: string, ...args: string[]): Promise<{ code: number | null; output: string }>;
}

/** The copy exists from the first test of the file to its last. */
export function useRepositoryCopy(): RepositoryCopy {
  let root = '';
  beforeAll(async () => {
    root = await mkdtemp(join(tmpdir(), 'recipe-'));
    const packages = (await readdir(join(ROOT, 'packages'))).map((name) => join('packages', name));
    await cp(ROOT, root, { recursive: true, filter: (path) => !LEFT_OUT.includes(basename(path)) });
    for (const folder of ['.', ...packages])
      await symlink(join(ROOT, folder, 'node_modules'), join(root, folder, 'node_modules'));
  }, 60_000);
  afterAll(() => rm(root, { recursive: true, force: true }));

  const read = (path: string) => readFile(join(root, path), 'utf8');
  const write = (path: string, text: string) => writeFile(join(root, path), text);
  return {
    read,
    write,
    remove: (path) => rm(join(root, path)),
    list: (folder) => readdir(join(root, folder)),
    async insert(path, mark, text) {
      const before = await read(path);
      const at = before.indexOf(mark);
      if (at === -1) throw new Error(`${path} has no ${mark}`);
      await write(path, before.slice(0, at) + text + before.slice(at));
    },
    run: (script, ...args) =>
      new Promise((resolve, reject) => {
        // Uses the embedded servers, even if the test run has real ones.
        const { TEST_DATABASE_URL: _, TEST_REDIS_URL: __, CI: ___, ...env } = process.env;
        const child = spawn(process.execPath, [script, ...args], { cwd: root, env });
        let output = '';
        for (const stream of [child.stdout, child.stderr])
          stream.on('data', (part) => {
            output += part;
          });
        child.once('error', reject);
        child.once('close', (code) => resolve({ code, output }));
      }),
  };
}
