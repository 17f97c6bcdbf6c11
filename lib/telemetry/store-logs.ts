import type { IngestContext } from '../context.ts';
import { reach } from '../db.ts';
import type { LogBatch, LogRow, PartialSuccess } from '../otlp/rows.ts';
import { loggedErrorsOf } from './errors/error-parts.ts';
import { keepTimely } from './kept-days.ts';
import { leaveOutEmpty } from './leave-out-empty.ts';
import { type Sized, storeBatch, type Verdict } from './store-batch.ts';

/**
 * Stores the log records of a request. A request that is sent again stores nothing twice (docs/telemetry.md#stored-once). A record
 * without a time gets the time of its arrival. One statement, like `storeTraces`.
 */
export async function storeLogs(
  ctx: IngestContext,
  { logs, partial: before, ...batch }: Sized<LogBatch>,
): Promise<PartialSuccess | undefined> {
  const now = ctx.now();
  const received = `${now}000000`;
  const timed = logs.map((log) => withTime(log, received));
  const { rows, days, partial } = keepTimely(timed, (log) => log.storedNano, before, now);
  const instant = new Date(now).toISOString();
  return storeBatch(
    { ...batch, rows, partial },
    {
      cuts: true,
      originOf: (log) => log,
      store: async ({ rows: piece, ...others }) => {
        const text = JSON.stringify({
          ...others,
          logs: piece.map(toStored),
          errors: loggedErrorsOf(others.resources, piece),
        });
        const [row] = await reach(ctx.sql`
          select store_logs(${ctx.actor.environmentKey}, ${text}::jsonb, ${days}::date[], ${instant}::timestamptz) as verdict
        `);
        return row?.verdict as Verdict;
      },
    },
  );
}

const withTime = ({ timeNano, ...log }: LogRow, received: string) => ({
  ...log,
  storedNano: timeNano === '0' ? received : timeNano,
  untimed: timeNano === '0',
});

const toStored = ({
  flags,
  droppedAttributes,
  cutAttributes,
  bodyCut,
  ...log
}: ReturnType<typeof withTime>) => ({
  ...log,
  rest: leaveOutEmpty({ flags, droppedAttributes, cutAttributes, bodyCut: Number(bodyCut) }),
});
