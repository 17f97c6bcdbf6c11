/** Memory of the processes that this process started, as Linux reports it in `/proc`. */
import { readdir, readFile } from 'node:fs/promises';

const KIB_A_MIB = 1024;

/** Resident MiB of all workerd processes of this process. 0 without `/proc`. */
export async function workerdMemory(): Promise<number> {
  const pids = await readdir('/proc').catch(() => []);
  const sizes = await Promise.all(pids.filter((name) => /^\d+$/.test(name)).map(residentKib));
  return Math.round(sizes.reduce((sum, size) => sum + size, 0) / KIB_A_MIB);
}

async function residentKib(pid: string): Promise<number> {
  try {
    const [status, command] = await Promise.all([
      readFile(`/proc/${pid}/status`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ]);
    const parent = /^PPid:\s+(\d+)$/m.exec(status)?.[1];
    if (parent !== String(process.pid) || !command.includes('workerd')) return 0;
    return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0);
  } catch {
    return 0;
  }
}
