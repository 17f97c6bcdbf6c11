import type { Ports } from '../context.ts';

/** Makes partitions ahead, and drops raw events and dead letters that nobody needs any more. Run often; repeats are free. */
export async function maintainVisits({ sql, now }: Ports): Promise<{ droppedPartitions: number }> {
  const instant = new Date(now()).toISOString();
  const [, dropped] = await sql.transaction([
    sql`select ensure_partitions(${instant}::timestamptz)`,
    sql`select drop_raw_events(${instant}::timestamptz) as partitions`,
  ]);
  return { droppedPartitions: dropped?.[0]?.partitions ?? 0 };
}
