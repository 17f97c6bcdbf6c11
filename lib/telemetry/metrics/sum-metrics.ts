import type { Ports } from '../../context.ts';

/** Number of touched minutes or hours that one statement sums: about 100 ms of work. */
const PIECE = 5000;
/** Time limit per cron run; the next run continues. */
const SUMMING_MS = 20_000;
/** A minute is summed this long after its end, so that late points are included. */
const GRACE_MS = 60_000;
/** An hour is summed this long after its last minute is due. */
const HOUR_GRACE_MS = 5 * 60_000;

/**
 * Sums changed minutes and hours of metrics (schema/functions/sum-metrics.sql) in turns, a piece of each environment at a time, until
 * nothing is left or the time is over. An environment that fails doesn't stop the others; failures are thrown at the end.
 */
export async function sumMetrics({ sql, now }: Ports): Promise<void> {
  const end = now() + SUMMING_MS;
  const faults: unknown[] = [];
  for (let isMore = true; isMore && now() < end; ) {
    isMore = false;
    let after = await nextEnvironment(sql, 0);
    while (after !== null && now() < end) {
      try {
        isMore = (await sumPiece({ sql, now }, after)) || isMore;
      } catch (fault) {
        faults.push(fault);
      }
      after = await nextEnvironment(sql, after);
    }
  }
  if (faults.length > 0) throw new AggregateError(faults, 'Metrics of some environments could not be summed');
}

async function nextEnvironment(sql: Ports['sql'], after: number): Promise<number | null> {
  const [row] = await sql`select next_touched_environment(${after}::integer) as key`;
  return row?.key ?? null;
}

/** Returns whether more work may be left. Minutes come first, since summing a minute marks its hour as changed. */
async function sumPiece({ sql, now }: Ports, environment: number): Promise<boolean> {
  const minutesBefore = new Date(now() - 60_000 - GRACE_MS).toISOString();
  const hoursBefore = new Date(now() - HOUR_GRACE_MS).toISOString();
  const [row] = await sql`
    select sum_metric_minutes(${environment}::integer, ${minutesBefore}::timestamptz, ${PIECE}::integer) as minutes,
      sum_metric_hours(${environment}::integer, ${hoursBefore}::timestamptz, ${PIECE}::integer) as hours
  `;
  return row?.minutes === PIECE || row?.hours === PIECE;
}
