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

/** Deletes visits and rollups beyond each site's `retentionMonths`. Run daily; a run that was missed is made up for. */
export async function expireVisits({ sql, now }: Ports): Promise<{ deletedVisits: number }> {
  const [expired] =
    await sql`select expire_visits(${new Date(now()).toISOString()}::timestamptz)::float8 as visits`;
  return { deletedVisits: expired?.visits ?? 0 };
}
