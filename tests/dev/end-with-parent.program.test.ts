import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../../tooling/deployment.ts';

/** Starts a program that lasts, tells its process id, and does nothing more. */
const PARENT = `
  import { spawn } from 'node:child_process';
  import { endWithParent } from ${JSON.stringify(join(ROOT, 'dev/end-with-parent.ts'))};
  endWithParent('sleep');
  const child = spawn('sleep', ['600']);
  child.once('spawn', () => console.log(child.pid));
`;

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test.each(['SIGKILL', 'SIGTERM'] as const)(
  'a program ends with its parent, which gets %s',
  async (signal) => {
    const parent = spawn(process.execPath, ['--input-type=module', '-e', PARENT]);
    const [output] = await once(parent.stdout, 'data');
    const pid = Number(String(output));
    expect(isRunning(pid)).toBe(true);
    parent.kill(signal);
    await expect.poll(() => isRunning(pid)).toBe(false);
  },
);
