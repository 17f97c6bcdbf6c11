import { ROWS_A_BATCH, runBatches } from '../batches.ts';
import type { Ports } from '../context.ts';

/** Deletes messages that were decided over 30 days ago, with their deliveries (docs/messages.md#deliveries). */
export const expireMessages = (ctx: Ports): Promise<{ deletedRows: number }> =>
  runBatches(
    ctx,
    (instant) => ctx.sql`select * from expire_messages(${instant}::timestamptz, ${ROWS_A_BATCH})`,
  );
