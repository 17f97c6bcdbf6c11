import { loadavg } from 'node:os';
import type { Sql } from '../../lib/db.ts';
import { postmasterOf, treeUse, type Use, workerdIds } from '../cpu/process-cpu.ts';
import { measureTables, type TableSize } from './table-sizes.ts';

const EVERY_MS = 5_000;
const NONE: Use = { cpuMs: 0, memory: 0 };

/** The state at one instant. CPU counts up from the start of the processes. */
export interface Sample {
  at: number;
  database: Use;
  workerd: Use;
  /** Bytes of write-ahead log since the server was made. */
  wal: number;
  connections: number;
  databaseBytes: number;
  tables: TableSize[];
}

/** The most that was seen between two samples. */
export interface Peaks {
  database: number;
  workerd: number;
  connections: number;
  /** Statements that waited for a lock at the same time. */
  waiting: number;
  /** Of the whole machine, over a minute. */
  load: number;
}

export interface Machine {
  /** CPU milliseconds of PostgreSQL so far. */
  databaseCpuMs(): Promise<number>;
  sample(): Promise<Sample>;
  /** Looks every few seconds until it is called to stop. */
  watch(): () => Promise<Peaks>;
}

/** Watches the processes of this machine. Those of a PostgreSQL on another one use nothing here. */
export async function watchMachine(sql: Sql): Promise<Machine> {
  const [backend] = await sql`select pg_backend_pid() as pid`;
  const postmaster = await postmasterOf(backend?.pid);
  const [workerd] = await workerdIds();
  const used = async () => ({
    database: postmaster === undefined ? NONE : await treeUse(postmaster),
    workerd: workerd === undefined ? NONE : await treeUse(workerd),
  });
  const sample = async (): Promise<Sample> => {
    const [row] = await sql`
      select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')::float8 as wal, pg_database_size(current_database())::float8 as "databaseBytes",
        (select count(*)::int from pg_stat_activity where datname = current_database()) as connections`;
    return { at: Date.now(), ...(await used()), tables: await measureTables(sql), ...row } as Sample;
  };
  const watch = (): (() => Promise<Peaks>) => {
    const peaks: Peaks = { database: 0, workerd: 0, connections: 0, waiting: 0, load: 0 };
    let looking = Promise.resolve();
    const look = async (): Promise<void> => {
      const now = await used();
      const [row] = await sql`
        select count(*)::int as connections, (count(*) filter (where wait_event_type = 'Lock'))::int as waiting
        from pg_stat_activity where datname = current_database()`;
      const seen: Peaks = {
        ...{ database: now.database.memory, workerd: now.workerd.memory, load: loadavg()[0] ?? 0 },
        ...{ connections: row?.connections, waiting: row?.waiting },
      };
      for (const name of Object.keys(peaks) as (keyof Peaks)[])
        peaks[name] = Math.max(peaks[name], seen[name]);
    };
    const timer = setInterval(() => {
      looking = looking.then(look).catch(() => {});
    }, EVERY_MS);
    return async () => {
      clearInterval(timer);
      await looking;
      return peaks;
    };
  };
  return { sample, watch, databaseCpuMs: async () => (await used()).database.cpuMs };
}
