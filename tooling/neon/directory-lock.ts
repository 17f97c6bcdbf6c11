import { readFileSync, unlinkSync, writeFileSync } from 'node:fs';

/**
 * Locks a directory for this process and returns the function that unlocks it: two embedded databases over the same files would destroy
 * them. Throws if a running process has the lock; takes over the lock of a dead one.
 */
export function lockDirectory(dir: string): () => void {
  const file = `${dir}.lock`;
  const holder = holderOf(file);
  if (holder !== undefined) throw new Error(`${dir} is in use by process ${holder}`);
  writeFileSync(file, String(process.pid), { flag: 'wx' });
  return () => unlinkSync(file);
}

function holderOf(file: string): number | undefined {
  let pid: number;
  try {
    pid = Number(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
  if (isAlive(pid)) return pid;
  unlinkSync(file);
  return undefined;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}
