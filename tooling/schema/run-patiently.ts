import { setTimeout } from 'node:timers/promises';
import pg from 'pg';

/** A statement that waits for a lock blocks all later ones, so it stops waiting soon and is tried again later. */
const LOCK_TIMEOUT_MS = 500;
const FIRST_PAUSE_MS = 100;
const LONGEST_PAUSE_MS = 5_000;
/** lock_not_available, deadlock_detected, serialization_failure. */
const BUSY = new Set(['55P03', '40P01', '40001']);

export interface Patience {
  /** How long a step is retried while others hold its locks. */
  patienceMs: number;
  /** Called with one line for each step. */
  report: (line: string) => void;
}

/** Runs `work` in a transaction, and retries it while others hold the locks that it needs. */
export function runPatiently<T>(
  client: pg.ClientBase,
  patience: Patience,
  work: () => Promise<T>,
): Promise<T> {
  return tryPatiently(client, patience, () =>
    inTransaction(client, async () => {
      await client.query(`set local lock_timeout = ${LOCK_TIMEOUT_MS}`);
      return work();
    }),
  );
}

/** Runs `work`, and retries it while it fails because of others' locks. */
export async function tryPatiently<T>(
  client: pg.ClientBase,
  { patienceMs, report }: Patience,
  work: () => Promise<T>,
): Promise<T> {
  const until = performance.now() + patienceMs;
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, LONGEST_PAUSE_MS)) {
    try {
      return await work();
    } catch (error) {
      if (!isBusy(error)) throw error;
      if (performance.now() + pauseMs > until) throw await heldUp(client, error);
      report(`  waits: ${error.message}`);
      await setTimeout(pauseMs);
    }
  }
}

export async function inTransaction<T>(client: pg.ClientBase, work: () => Promise<T>): Promise<T> {
  await client.query('begin');
  try {
    const result = await work();
    await client.query('commit');
    return result;
  } catch (error) {
    // The error of `work` is thrown, even if the connection is closed.
    await client.query('rollback').catch(() => {});
    throw error;
  }
}

const isBusy = (error: unknown): error is pg.DatabaseError =>
  error instanceof pg.DatabaseError && BUSY.has(error.code ?? '');

/** Names the longest open transaction, which probably holds the lock. */
async function heldUp(client: pg.ClientBase, cause: pg.DatabaseError): Promise<Error> {
  const { rows } = await client.query<{ pid: number; seconds: number; state: string; query: string }>(`
    select pid, extract(epoch from now() - xact_start)::integer as seconds, state, left(query, 80) as query
    from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and xact_start < now() - interval '1 second'
    order by xact_start
    limit 3`);
  const holders = rows.map(
    ({ pid, seconds, state, query }) => `process ${pid}, open for ${seconds} s, ${state}: ${query}`,
  );
  return new Error(
    `Others hold the locks that this step needs: ${cause.message}. Nothing of the step was done. ` +
      `End what holds them, then run npm run db:apply again.${holders.map((line) => `\n  ${line}`).join('')}`,
    { cause },
  );
}
