import type { Sql } from '../../lib/db.ts';

/** Runs the cron that writes the roll-ups of lists until there is nothing left to do: its seconds. Null where the schema has none. */
export async function sealDays(sql: Sql, now: number): Promise<number | null> {
  const [known] = await sql`select to_regprocedure('seal_days(timestamptz)') is not null as there`;
  if (!known?.there) return null;
  const begun = performance.now();
  let sealed = -1;
  for (let next = 0; next !== sealed; ) {
    sealed = next;
    await sql`select seal_days(${new Date(now).toISOString()}::timestamptz)`;
    next = (await sql`select count(*)::integer as days from sealed_days`)[0]?.days;
  }
  const seconds = (performance.now() - begun) / 1000;
  await sql`vacuum analyze sealed_days, rollup_values`;
  return seconds;
}
