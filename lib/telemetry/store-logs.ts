import type { IngestContext } from '../context.ts';
import { reach } from '../db.ts';
import type { LogBatch, LogRow, PartialSuccess } from '../otlp/rows.ts';
import { keepTimely } from './kept-days.ts';
import { inPieces, leaveOutEmpty } from './store-in-pieces.ts';

/**
 * Stores the log records of a request. A request that is sent again stores nothing twice (docs/telemetry.md#stored-once). A record
 * without a time gets the time of its arrival. One statement, like `storeTraces`.
 */
export async function storeLogs(
  ctx: IngestContext,
  { resources, scopes, logs, partial }: LogBatch,
): Promise<PartialSuccess | undefined> {
  const now = ctx.now();
  const received = `${now}000000`;
  const timed = logs.map((log) => toStored(log, received));
  const timely = keepTimely(timed, (log) => log.storedNano, partial, now);
  const instant = new Date(now).toISOString();
  await inPieces(timely.rows, (piece) => {
    const batch = JSON.stringify({ resources, scopes, logs: piece });
    return reach(ctx.sql`
      select store_logs(${ctx.actor.environmentKey}, ${batch}::jsonb, ${timely.days}::date[], ${instant}::timestamptz)
    `);
  });
  return timely.partial;
}

const toStored = ({ timeNano, flags, droppedAttributes, ...log }: LogRow, received: string) => ({
  ...log,
  storedNano: timeNano === '0' ? received : timeNano,
  untimed: timeNano === '0',
  rest: leaveOutEmpty({ flags, droppedAttributes }),
});
