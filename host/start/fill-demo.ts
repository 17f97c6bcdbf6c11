import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from '../../tooling/deployment.ts';

/** Of 61 days of visits and 30 of the backend: a few lines in all. */
const DAYS_A_LINE = 10;

interface DemoOptions {
  log: (line: string) => void;
  /** Added to the environment of this process. */
  env?: Record<string, string>;
  /** Called when the process has ended by itself. */
  onEnd?: () => void;
}

/**
 * Fills the demo site as `npm run demo` does, in a process of its own. Call the result to end it; what is missing then is filled the next
 * time.
 */
export function fillDemo({ log, env, onEnd }: DemoOptions): () => Promise<void> {
  const child = spawn(process.execPath, [join(ROOT, 'dev/demo/main.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, ...env },
  });
  const ended = once(child, 'close');
  let isStopped = false;
  void ended.then(() => isStopped || onEnd?.());
  createInterface({ input: child.stdout }).on('line', (line) => {
    const day = /^day (\d+) of/.exec(line)?.[1];
    if (line !== '' && (day === undefined || Number(day) % DAYS_A_LINE === 0)) log(`demo      | ${line}`);
  });
  return async () => {
    isStopped = true;
    child.kill();
    await ended;
  };
}
