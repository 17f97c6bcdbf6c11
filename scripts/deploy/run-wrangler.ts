import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { ROOT } from '../../tooling/deployment.ts';

export interface WranglerResult {
  code: number;
  output: string;
}

/** Runs the repository's wrangler and collects its output. With `live` the output is shown at once instead. */
export function runWrangler(args: string[], live = false): Promise<WranglerResult> {
  return new Promise((resolve, reject) => {
    const child = spawn(join(ROOT, 'node_modules/.bin/wrangler'), args, {
      cwd: ROOT,
      env: { ...process.env, WRANGLER_SEND_METRICS: 'false' },
      stdio: live ? 'inherit' : ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    child.stdout?.on('data', (chunk) => {
      output += chunk;
    });
    child.stderr?.on('data', (chunk) => {
      output += chunk;
    });
    child.once('error', reject);
    child.once('close', (code) => resolve({ code: code ?? 1, output }));
  });
}
