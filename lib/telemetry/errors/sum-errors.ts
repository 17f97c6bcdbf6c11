import type { Ports } from '../../context.ts';

const PARTS_AT_ONCE = 2000;
/** Time limit per run; the next minute's run continues. */
const MAX_MS = 10_000;

/**
 * Sums the errors of stored spans and log records to groups and hours (schema/functions/sum-errors.sql), piece by piece until nothing is
 * due or the time is over. Runs every minute; of two runs at once, one ends without work.
 */
export async function sumErrors({ sql, now }: Ports): Promise<void> {
  const start = now();
  const instant = new Date(start).toISOString();
  for (let taken = 1; taken > 0 && now() < start + MAX_MS; ) {
    const [row] = await sql`select sum_errors(${instant}::timestamptz, ${PARTS_AT_ONCE}::integer) as taken`;
    taken = row?.taken ?? 0;
  }
}
