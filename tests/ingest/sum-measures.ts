import type { Sql } from '../../lib/db.ts';

/** The cron's summing of attention and vitals at the instant, of all sites. */
export async function sumMeasures(sql: Sql, instant: number): Promise<void> {
  let after: string | null = null;
  do {
    const [row]: Record<string, string | null>[] =
      await sql`select sum_measures(${new Date(instant).toISOString()}::timestamptz, ${after}::bigint)::text as next`;
    after = row?.next ?? null;
  } while (after !== null);
}
