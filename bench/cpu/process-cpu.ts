/** CPU time of processes as Linux reports it in `/proc`. */
import { readdir, readFile } from 'node:fs/promises';

/** Ticks per second in `/proc/<pid>/stat`: USER_HZ, the same on every Linux that Node.js supports. */
const MS_A_TICK = 10;
/** Columns after the process name, which may contain any character (proc(5)). */
const PARENT = 1;
const USER_TICKS = 11;
const SYSTEM_TICKS = 12;
/** Of children that ended. */
const CHILD_TICKS = 13;
const CHILD_SYSTEM_TICKS = 14;

interface Process {
  pid: string;
  parent: number;
  /** The command line, with NUL between its arguments. */
  command: string;
  /** User and system time since the start of the process. */
  cpuMs: number;
  /** The time of its children that ended. */
  endedMs: number;
}

export type CpuTimes = Map<string, number>;

/** CPU milliseconds of each workerd that this process started, by process id. Throws if there is no `/proc`. */
export const workerdTimes = (): Promise<CpuTimes> =>
  timesOf(({ parent, command }) => parent === process.pid && command.includes('workerd'));

/** CPU milliseconds of a process and of all that it started, by process id. */
export async function treeTimes(root: number): Promise<CpuTimes> {
  return new Map((await treeOf(root)).map(({ pid, cpuMs }) => [pid, cpuMs]));
}

async function treeOf(root: number): Promise<Process[]> {
  const processes = await readProcesses();
  const tree = new Set([`${root}`]);
  // A child may be listed before its parent.
  for (let size = 0; size !== tree.size; ) {
    size = tree.size;
    for (const { pid, parent } of processes) if (tree.has(`${parent}`)) tree.add(pid);
  }
  return processes.filter(({ pid }) => tree.has(pid));
}

/** What a process and all that it started use, also those that ended. */
export interface Use {
  cpuMs: number;
  /** Bytes of memory, shared pages divided by the number of their users; 0 if this user may not know. */
  memory: number;
}

export async function treeUse(root: number): Promise<Use> {
  const tree = await treeOf(root);
  const ended = tree.find(({ pid }) => pid === `${root}`)?.endedMs ?? 0;
  const memory = await Promise.all(tree.map(({ pid }) => readMemory(pid)));
  const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);
  return { cpuMs: sum(tree.map(({ cpuMs }) => cpuMs)) + ended, memory: sum(memory) };
}

/** The process ids of the workerd that this process started. */
export const workerdIds = async (): Promise<number[]> => [...(await workerdTimes()).keys()].map(Number);

/** The process that started the one with this id, if that is a PostgreSQL of this machine. */
export async function postmasterOf(backend: number): Promise<number | undefined> {
  const found = (await readProcesses()).find(({ pid }) => pid === `${backend}`);
  return found?.command.startsWith('postgres: ') ? found.parent : undefined;
}

async function readMemory(pid: string): Promise<number> {
  const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
  return Number(/^Pss:\s+(\d+) kB/m.exec(text)?.[1] ?? 0) * 1024;
}

/** CPU milliseconds of the PostgreSQL processes that serve a database of this machine. */
export const databaseTimes = (name: string): Promise<CpuTimes> =>
  timesOf(({ command }) => command.startsWith('postgres: ') && command.split(' ').includes(name));

/** Milliseconds between two measurements, without processes that ended in between. */
export function millisecondsBetween(before: CpuTimes, after: CpuTimes): number {
  return [...after].reduce((sum, [pid, ms]) => sum + ms - (before.get(pid) ?? 0), 0);
}

async function timesOf(wanted: (process: Process) => boolean): Promise<CpuTimes> {
  const found = (await readProcesses()).filter(wanted);
  return new Map(found.map(({ pid, cpuMs }) => [pid, cpuMs]));
}

async function readProcesses(): Promise<Process[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name));
  return (await Promise.all(pids.map(readProcess))).filter((process) => process !== undefined);
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
    const ended = Number(columns[CHILD_TICKS]) + Number(columns[CHILD_SYSTEM_TICKS]);
    return {
      ...{ pid, parent: Number(columns[PARENT]), command },
      ...{ cpuMs: ticks * MS_A_TICK, endedMs: ended * MS_A_TICK },
    };
  } catch {
    return undefined;
  }
}
