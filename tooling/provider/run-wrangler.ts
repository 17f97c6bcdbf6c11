import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { ROOT } from '../deployment.ts';

/** What `bin/wrangler.js` starts. That one exits with 0 if this one is ended by a signal. */
const CLI = join(ROOT, 'node_modules/wrangler/wrangler-dist/cli.js');
/** Where Node.js keeps what it compiled: a deployment starts wrangler for each function, and each start then takes a fifth less. */
const COMPILE_CACHE = join(ROOT, 'node_modules/.cache/wrangler');
const TIMEOUT_MS = 5 * 60_000;

export interface WranglerResult {
  code: number;
  /** What it printed, without colours. */
  output: string;
}

export interface WranglerOptions {
  /** Variables beside those of this process. */
  env?: Readonly<Record<string, string | undefined>>;
  /** After this time it is ended. */
  timeoutMs?: number | undefined;
}

/** Runs the repository's wrangler without a terminal, and collects what it prints. */
export function runWrangler(
  args: string[],
  { env = {}, timeoutMs = TIMEOUT_MS }: WranglerOptions = {},
): Promise<WranglerResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, ['--no-warnings', CLI, ...args], {
      cwd: ROOT,
      env: {
        ...{ NODE_COMPILE_CACHE: COMPILE_CACHE, ...process.env, ...env },
        WRANGLER_SEND_METRICS: 'false',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    let isLate = false;
    const collect = (chunk: Buffer): void => {
      output += chunk;
    };
    child.stdout.on('data', collect);
    child.stderr.on('data', collect);
    const timer = setTimeout(() => {
      isLate = true;
      output += `\nwrangler had no answer for ${Math.round(timeoutMs / 1000)} s and was ended.`;
      child.kill('SIGTERM');
    }, timeoutMs);
    child.once('error', reject);
    child.once('close', (code) => {
      clearTimeout(timer);
      resolve({ code: isLate ? 1 : (code ?? 1), output: stripVTControlCharacters(output) });
    });
  });
}
