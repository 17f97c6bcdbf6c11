import type { Ports } from '../context.ts';
import { reach } from '../db.ts';
import type { Dropped, DropReason } from '../otlp/drop-reason.ts';
import type { Signal } from '../otlp/index.ts';

const MAX_MESSAGE_CHARS = 1000;

export interface SenderError {
  signal: Signal | 'outcomes';
  /** The HTTP status of the answer; 200 for a partial success. */
  status: number;
  /** The message of the answer. It never contains what the sender sent. */
  message: string;
  /** What of the request isn't stored. */
  dropped?: Dropped | undefined;
}

/** An error with the time of its answer, epoch milliseconds. */
export interface NotedError extends SenderError {
  atMs: number;
}

/** One note for both: the later error, and what both dropped. */
export function joinErrors(earlier: NotedError | undefined, later: NotedError): NotedError {
  const dropped = { ...earlier?.dropped };
  for (const [reason, count] of Object.entries(later.dropped ?? {}) as [DropReason, number][])
    dropped[reason] = (dropped[reason] ?? 0) + count;
  return { ...later, dropped };
}

/**
 * Stores the last error that a sender got, for the connection status, and counts what was dropped by the hour in which it came. By
 * primary keys. Does nothing for a deleted environment.
 */
export async function noteError(
  ctx: Pick<Ports, 'sql'> & { actor: { environmentKey: number } },
  { signal, status, message, dropped = {}, atMs }: NotedError,
): Promise<void> {
  const instant = new Date(atMs).toISOString();
  await reach(ctx.sql`
    with environment as (select key from environments where key = ${ctx.actor.environmentKey}),
    counted as (
      insert into otlp_dropped as known (environment_key, signal, hour, reason, items)
      select key, ${signal}, date_trunc('hour', ${instant}::timestamptz, 'UTC'), reason, items::bigint
      from environment cross join jsonb_each_text(${JSON.stringify(dropped)}::jsonb) as lost(reason, items)
      order by reason
      on conflict (environment_key, signal, hour, reason) do update set items = known.items + excluded.items
    )
    insert into telemetry_errors (environment_key, signal, at, status, message)
    select key, ${signal}, ${instant}::timestamptz, ${status}::smallint, ${message.slice(0, MAX_MESSAGE_CHARS)} from environment
    on conflict (environment_key, signal) do update set at = excluded.at, status = excluded.status, message = excluded.message
    where telemetry_errors.at <= excluded.at
  `);
}
