import type { Ports } from '../../context.ts';

/** Touched minutes or hours of series that one statement sums: some 100 ms of work. */
const PIECE = 5000;
/** Of each run of the cron; what is left is done by the next. */
const SUMMING_MS = 20_000;
/** A minute is summed when it is over and its points had this long to come. */
const GRACE_MS = 60_000;
/** An hour likewise, after its last minute was. */
const HOUR_GRACE_MS = 5 * 60_000;

/**
 * Sums minutes and hours of metrics that changed (schema/functions/sum-metrics.sql), environment by environment, a piece of each at a time,
 * until nothing is left or the time is over. An environment whose sums fail doesn't keep the others back; faults are thrown at
 * the end.
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

/** Whether there may be more. Minutes first, since they touch hours. */
async function sumPiece({ sql, now }: Ports, environment: number): Promise<boolean> {
  const minutesBefore = new Date(now() - 60_000 - GRACE_MS).toISOString();
  const hoursBefore = new Date(now() - HOUR_GRACE_MS).toISOString();
  const [row] = await sql`
    select sum_metric_minutes(${environment}::integer, ${minutesBefore}::timestamptz, ${PIECE}::integer) as minutes,
      sum_metric_hours(${environment}::integer, ${hoursBefore}::timestamptz, ${PIECE}::integer) as hours
  `;
  return row?.minutes === PIECE || row?.hours === PIECE;
}
