import { readFile, writeFile } from 'node:fs/promises';
import { relative } from 'node:path';
import { ROOT } from './deployment.ts';

/** Writes a generated file; with `--check` on the command line compares only, and ends the process with 1 if it is stale. */
export async function writeGenerated(path: string, content: string): Promise<void> {
  const present = await readFile(path, 'utf8').catch(() => undefined);
  if (present === content) return;
  if (process.argv.includes('--check')) {
    console.error(`${relative(ROOT, path)} is out of date: npm run generate`);
    process.exitCode = 1;
    return;
  }
  await writeFile(path, content);
}
