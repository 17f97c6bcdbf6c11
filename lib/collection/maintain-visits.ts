import type { Ports } from '../context.ts';

/**
 * Makes partitions ahead, sums attention and vitals (schema/functions/measures.sql), and then drops raw events and dead letters that nobody
 * needs any more. Run often; repeats are free.
 */
export async function maintainVisits(ports: Ports): Promise<{ droppedPartitions: number }> {
  const { sql, now } = ports;
  const instant = new Date(now()).toISOString();
  await sql`select ensure_partitions(${instant}::timestamptz)`;
  await sumMeasures(ports);
  const [dropped] = await sql`select drop_raw_events(${instant}::timestamptz) as partitions`;
  return { droppedPartitions: dropped?.partitions ?? 0 };
}

/** Some sites at a time, so that their batches don't wait long. */
async function sumMeasures({ sql, now }: Ports): Promise<void> {
  const instant = new Date(now()).toISOString();
  let after: string | null = null;
  do {
    const [summed]: Record<string, string | null>[] =
      await sql`select sum_measures(${instant}::timestamptz, ${after}::bigint)::text as "after"`;
    after = summed?.after ?? null;
  } while (after !== null);
}
