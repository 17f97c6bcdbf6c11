import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** Runs `use` with the unpacked folder of a package that isn't installed: `from`, or else what npm fetches, which is removed afterwards. */
export async function withNpmPackage<T>(
  { name, version, from }: { name: string; version: string; from?: string | undefined },
  use: (folder: string) => Promise<T>,
): Promise<T> {
  if (from !== undefined) return use(from);
  const cwd = await mkdtemp(join(tmpdir(), 'npm-package-'));
  try {
    const { stdout } = await run('npm', ['pack', '--silent', `${name}@${version}`], { cwd });
    await run('tar', ['xzf', stdout.trim()], { cwd });
    return await use(join(cwd, 'package'));
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
}
