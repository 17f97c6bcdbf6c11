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

/** A cron's jobs by name. */
export type CronJobs = Readonly<Record<string, (ports: Ports) => Promise<unknown>>>;

interface Cron {
  /** The function that has the cron. */
  function: string;
  jobs: CronJobs;
  /** Runs the jobs one after the other. Default: all at once. */
  inTurn?: boolean;
  /** Called for each job that fails. */
  report(job: string, fault: unknown): void;
}

/**
 * Runs a cron's jobs, and notes when it began and whether all of them ended well: one row a function, by its primary key. A job that fails
 * stops no other, and neither does a database that can't be written to. Throws if a job failed.
 */
export async function runCron(ports: Ports, cron: Cron): Promise<void> {
  const { sql, now } = ports;
  const note = (query: PromiseLike<unknown>): Promise<unknown> =>
    Promise.resolve(query).catch(() => undefined);
  const instant = (): string => new Date(now()).toISOString();
  await note(sql`
    insert into cron_runs (function, began_at) values (${cron.function}, ${instant()}::timestamptz)
    on conflict (function) do update set began_at = excluded.began_at`);
  const failed: string[] = [];
  const run = async ([name, job]: [string, CronJobs[string]]): Promise<void> => {
    try {
      await job(ports);
    } catch (fault) {
      failed.push(name);
      cron.report(name, fault);
    }
  };
  const jobs = Object.entries(cron.jobs);
  if (cron.inTurn) for (const job of jobs) await run(job);
  else await Promise.all(jobs.map(run));
  if (failed.length > 0) {
    await note(
      sql`update cron_runs set failed_at = ${instant()}::timestamptz where function = ${cron.function}`,
    );
    throw new Error(`Jobs of the cron failed: ${failed.join(', ')}. The log has the causes.`);
  }
  await note(
    sql`update cron_runs set ended_at = ${instant()}::timestamptz where function = ${cron.function}`,
  );
}

/** Every function whose cron ever ran. */
export async function listCronRuns({ sql }: Pick<Ports, 'sql'>): Promise<CronRun[]> {
  const rows = await sql`
    select function, began_at as "beganAt", ended_at as "endedAt", failed_at as "failedAt" from cron_runs order by function`;
  return rows as CronRun[];
}
