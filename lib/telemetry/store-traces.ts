import type { IngestContext } from '../context.ts';
import { reach } from '../db.ts';
import type { PartialSuccess, SpanRow, TraceBatch } from '../otlp/rows.ts';
import { errorPartsOf } from './errors/error-parts.ts';
import { keepTimely } from './kept-days.ts';
import { leaveOutEmpty } from './leave-out-empty.ts';
import { partsOf } from './span-parts.ts';
import { type Sized, storeBatch, type Verdict } from './store-batch.ts';

/**
 * Stores the spans of a request. Spans that are already stored stay as they are (docs/telemetry.md#stored-once). One statement, and a
 * further one for a request with repeated spans or beyond a quota. When it returns, all spans are durable. Returns what was rejected or
 * cut. Throws `UNAVAILABLE`.
 */
export async function storeTraces(
  ctx: IngestContext,
  { spans, partial: before, ...batch }: Sized<TraceBatch>,
): Promise<PartialSuccess | undefined> {
  const now = ctx.now();
  const { rows, days, partial } = keepTimely(spans, (span) => span.startNano, before, now);
  const instant = new Date(now).toISOString();
  return storeBatch(
    { ...batch, rows, partial },
    {
      cuts: true,
      originOf: (span) => span,
      store: async ({ rows: piece, ...others }) => {
        const text = JSON.stringify({
          ...others,
          spans: piece.map(toStored),
          parts: partsOf(piece),
          errors: errorPartsOf(others.resources, piece),
        });
        const [row] = await reach(ctx.sql`
          select store_spans(${ctx.actor.environmentKey}, ${text}::jsonb, ${days}::date[], ${instant}::timestamptz) as verdict
        `);
        return row?.verdict as Verdict;
      },
    },
  );
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
  span.traceState === '' &&
  span.droppedAttributes + span.droppedEvents + span.droppedLinks + span.cutAttributes === 0;

const restOf = ({ traceState, droppedAttributes, droppedEvents, droppedLinks, cutAttributes }: SpanRow) =>
  leaveOutEmpty({ traceState, droppedAttributes, droppedEvents, droppedLinks, cutAttributes });
