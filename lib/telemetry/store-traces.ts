import type { IngestContext } from '../context.ts';
import { reach } from '../db.ts';
import { unavailable } from '../errors.ts';
import type { PartialSuccess, SpanRow, TraceBatch } from '../otlp/rows.ts';
import { keepTimely } from './kept-days.ts';
import { partsOf } from './span-parts.ts';
import { inPieces, leaveOutEmpty } from './store-in-pieces.ts';

/** More than one repeat happens only if the same request arrives several times at once. */
const MAX_REPEATS = 10;

/**
 * Stores the spans of a request. Spans that are already stored stay as they are (docs/telemetry.md#stored-once). One statement, and a
 * second one for a request with repeated spans. When it returns, all spans are durable. Returns what was rejected or cut. Throws
 * `UNAVAILABLE`.
 */
export async function storeTraces(
  ctx: IngestContext,
  { resources, scopes, spans, partial }: TraceBatch,
): Promise<PartialSuccess | undefined> {
  const now = ctx.now();
  const timely = keepTimely(spans, (span) => span.startNano, partial, now);
  const instant = new Date(now).toISOString();
  await inPieces(timely.rows, async (piece) => {
    for (let rest = piece, repeats = 0; repeats <= MAX_REPEATS; repeats += 1) {
      const batch = JSON.stringify({ resources, scopes, spans: rest.map(toStored), parts: partsOf(rest) });
      const [row] = await reach(ctx.sql`
        select store_spans(${ctx.actor.environmentKey}, ${batch}::jsonb, ${timely.days}::date[], ${instant}::timestamptz) as known
      `);
      if (row?.known === null) return;
      const known = new Set<number>(row?.known);
      rest = rest.filter((_, place) => !known.has(place));
    }
    throw unavailable(new Error('the same spans come over and over at once'));
  });
  return timely.partial;
}

/** Copying field by field is many times faster than removing fields. */
const toStored = (span: SpanRow) => ({
  traceId: span.traceId,
  spanId: span.spanId,
  parentSpanId: span.parentSpanId ?? undefined,
  startNano: span.startNano,
  durationNano: span.durationNano,
  resource: span.resource,
  scope: span.scope,
  kind: span.kind,
  statusCode: span.statusCode,
  flags: span.flags === 0 ? undefined : span.flags | 0,
  name: span.name,
  statusMessage: span.statusMessage || undefined,
  attributes: span.attributes,
  events: span.events.length > 0 ? span.events : undefined,
  links: span.links.length > 0 ? span.links : undefined,
  rest: isPlain(span) ? undefined : restOf(span),
});

const isPlain = (span: SpanRow): boolean =>
  span.traceState === '' && span.droppedAttributes + span.droppedEvents + span.droppedLinks === 0;

const restOf = ({ traceState, droppedAttributes, droppedEvents, droppedLinks }: SpanRow) =>
  leaveOutEmpty({ traceState, droppedAttributes, droppedEvents, droppedLinks });
