import { reach } from '../db.ts';
import type { PartialSuccess, SpanRow, TraceBatch } from '../otlp/rows.ts';
import { keepTimely } from './kept-days.ts';
import { type IngestContext, inPieces, leaveOutEmpty } from './store.ts';

/**
 * Stores the spans of a request; those that are there already stay as they are (contract section 6). One statement: when it
 * returns, all are durable. Answers what was not taken as it came. Throws `UNAVAILABLE`.
 */
export async function storeTraces(
  ctx: IngestContext,
  { resources, scopes, spans, partial }: TraceBatch,
): Promise<PartialSuccess | undefined> {
  const now = ctx.now();
  const timely = keepTimely(spans, (span) => span.startNano, partial, now);
  const instant = new Date(now).toISOString();
  await inPieces(timely.rows, (piece) => {
    const batch = JSON.stringify({ resources, scopes, spans: piece.map(toStored) });
    return reach(ctx.sql`
      select store_spans(${ctx.actor.environmentKey}, ${batch}::jsonb, ${timely.days}::date[], ${instant}::timestamptz)
    `);
  });
  return timely.partial;
}

const toStored = ({
  traceState,
  flags,
  droppedAttributes,
  droppedEvents,
  droppedLinks,
  events,
  links,
  statusMessage,
  ...span
}: SpanRow) => ({
  ...span,
  statusMessage: statusMessage || undefined,
  events: events.length > 0 ? events : undefined,
  links: links.length > 0 ? links : undefined,
  rest: leaveOutEmpty({ traceState, flags, droppedAttributes, droppedEvents, droppedLinks }),
});
