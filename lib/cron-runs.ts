/** The last run of each function's cron, for the operator. */
import type { Ports } from './context.ts';

export interface CronRun {
  function: string;
  beganAt: Date;
  /** When a run last did all of its work; null: never. */
  endedAt: Date | null;
  /** When a run last left some of it undone; null: never. */
  failedAt: Date | null;
}

/**
 * Does a cron's work and notes when it began, and whether it failed. One row a function, by its primary key. A database that can't be
 * written to doesn't stop the work; the work's own fault is thrown.
 */
export async function noteCronRun(
  { sql, now }: Ports,
  { function: name, work }: { function: string; work: () => Promise<unknown> },
): Promise<void> {
  const note = (query: PromiseLike<unknown>): Promise<unknown> =>
    Promise.resolve(query).catch(() => undefined);
  const instant = (): string => new Date(now()).toISOString();
  await note(sql`
    insert into cron_runs (function, began_at) values (${name}, ${instant()}::timestamptz)
    on conflict (function) do update set began_at = excluded.began_at`);
  try {
    await work();
  } catch (fault) {
    await note(sql`update cron_runs set failed_at = ${instant()}::timestamptz where function = ${name}`);
    throw fault;
  }
  await note(sql`update cron_runs set ended_at = ${instant()}::timestamptz where function = ${name}`);
}

/** Every function whose cron ever ran. */
export async function listCronRuns({ sql }: Pick<Ports, 'sql'>): Promise<CronRun[]> {
  const rows = await sql`
    select function, began_at as "beganAt", ended_at as "endedAt", failed_at as "failedAt" from cron_runs order by function`;
  return rows as CronRun[];
}
