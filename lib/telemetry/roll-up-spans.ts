import type { Ports } from '../context.ts';

const PARTS_AT_ONCE = 2000;
const MINUTES_AT_ONCE = 10;
/** Time limit per run; the next minute's run continues. */
const MAX_MS = 20_000;

/**
 * Sums stored spans to minutes and hours (schema/functions/sum-spans.sql), then counts the calls between services
 * (schema/functions/service-map.sql), piece by piece until nothing is due or the time is over. Runs every minute; of two runs at once,
 * one ends without work. Questions read unsummed spans from `span_parts`.
 */
export async function rollUpSpans({ sql, now }: Ports): Promise<void> {
  const end = now() + MAX_MS;
  for (let taken = 1; taken > 0 && now() < end; ) {
    const [row] = await sql`select sum_spans(${PARTS_AT_ONCE}::integer) as taken`;
    taken = row?.taken ?? 0;
  }
  const instant = new Date(now()).toISOString();
  for (let counted = 1; counted > 0 && now() < end; ) {
    const [row] =
      await sql`select map_services(${instant}::timestamptz, ${MINUTES_AT_ONCE}::integer) as counted`;
    counted = row?.counted ?? 0;
  }
}
