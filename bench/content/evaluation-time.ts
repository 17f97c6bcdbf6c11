import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

const SCRIPT = `
const start = performance.now();
await import(process.argv[1]);
console.log(performance.now() - start);`;

/** Milliseconds to compile and evaluate a module in a separate Node.js, since workerd doesn't report that time. */
export async function evaluationMs(code: string): Promise<number> {
  const folder = await mkdtemp(join(tmpdir(), 'vendor-bench-'));
  try {
    const path = join(folder, 'index.mjs');
    await writeFile(path, code);
    const { stdout } = await promisify(execFile)(process.execPath, [
      ...['--input-type=module', '--eval', SCRIPT],
      path,
    ]);
    return Number(stdout);
  } finally {
    await rm(folder, { recursive: true });
  }
}
