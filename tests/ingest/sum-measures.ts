import type { Sql } from '../../lib/db.ts';

/** Sums attention and vitals of all sites, as the cron does at this instant. */
export async function sumMeasures(sql: Sql, instant: number): Promise<void> {
  let after: string | null = null;
  do {
    const [row]: Record<string, string | null>[] =
      await sql`select sum_measures(${new Date(instant).toISOString()}::timestamptz, ${after}::bigint)::text as next`;
    after = row?.next ?? null;
  } while (after !== null);
}
