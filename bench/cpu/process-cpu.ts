/** CPU time of processes as Linux reports it in `/proc`. */
import { readdir, readFile } from 'node:fs/promises';

/** Ticks per second in `/proc/<pid>/stat`: USER_HZ, the same on every Linux that Node.js supports. */
const MS_A_TICK = 10;
/** Columns after the process name, which may contain any character (proc(5)). */
const PARENT = 1;
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;

interface Process {
  pid: string;
  parent: number;
  /** The command line, with NUL between its arguments. */
  command: string;
  /** User and system time since the start of the process. */
  cpuMs: number;
}

export type CpuTimes = Map<string, number>;

/** CPU milliseconds of each workerd that this process started, by process id. Throws if there is no `/proc`. */
export const workerdTimes = (): Promise<CpuTimes> =>
  timesOf(({ parent, command }) => parent === process.pid && command.includes('workerd'));

/** CPU milliseconds of the PostgreSQL processes that serve a database of this machine. */
export const databaseTimes = (name: string): Promise<CpuTimes> =>
  timesOf(({ command }) => command.startsWith('postgres: ') && command.split(' ').includes(name));

/** Milliseconds between two measurements, without processes that ended in between. */
export function millisecondsBetween(before: CpuTimes, after: CpuTimes): number {
  return [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
}

async function timesOf(wanted: (process: Process) => boolean): Promise<CpuTimes> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  const processes = await Promise.all(pids.map(readProcess));
  const found = processes.filter((process) => process !== undefined).filter(wanted);
  return new Map(found.map(({ pid, cpuMs }) => [pid, cpuMs]));
}

/** Undefined if the process has ended. */
async function readProcess(pid: string): Promise<Process | undefined> {
  try {
    const [stat, command] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8'),
      readFile(`/proc/${pid}/cmdline`, 'utf8'),
    ]);
    const columns = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    const ticks = Number(columns[USER_TICKS]) + Number(columns[SYSTEM_TICKS]);
    return { pid, parent: Number(columns[PARENT]), command, cpuMs: ticks * MS_A_TICK };
  } catch {
    return undefined;
  }
}
