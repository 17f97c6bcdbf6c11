import type { Ports } from '../context.ts';
import { reach } from '../db.ts';
import type { Signal } from '../otlp/index.ts';

const MAX_MESSAGE_CHARS = 1000;

export interface ToldError {
  signal: Signal | 'outcomes';
  /** The HTTP status of the answer; 200 for a partial success. */
  status: number;
  /** The message of the answer. It never contains what the sender sent. */
  message: string;
}

/** Stores the last error that a sender got, for the connection status. By primary keys. Does nothing for a deleted environment. */
export async function noteError(
  ctx: Ports & { actor: { environmentKey: number } },
  { signal, status, message }: ToldError,
): Promise<void> {
  const instant = new Date(ctx.now()).toISOString();
  await reach(ctx.sql`
    insert into telemetry_errors (environment_key, signal, at, status, message)
    select key, ${signal}, ${instant}::timestamptz, ${status}::smallint, ${message.slice(0, MAX_MESSAGE_CHARS)}
    from environments where key = ${ctx.actor.environmentKey}
    on conflict (environment_key, signal) do update set at = excluded.at, status = excluded.status, message = excluded.message
    where telemetry_errors.at <= excluded.at
  `);
}
