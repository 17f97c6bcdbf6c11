import * as v from 'valibot';
import type { StoredEvent } from './track-message.ts';

const count = v.pipe(v.number(), v.integer());

/** What was kept and refused of a request's events; an id that came twice counts once. */
export const Receipt = v.strictObject({
  accepted: count,
  dropped: count,
  reasons: v.optional(
    v.pipe(v.record(v.string(), count), v.description('Of the dropped events: how many for which reason.')),
  ),
});
export type Receipt = v.InferOutput<typeof Receipt>;

export function receiptOf(events: readonly StoredEvent[]): Receipt {
  const reasons: Record<string, number> = {};
  let dropped = 0;
  for (const event of events) {
    if (event.type !== 'dropped') continue;
    dropped += 1;
    reasons[event.reason] = (reasons[event.reason] ?? 0) + 1;
  }
  return { accepted: events.length - dropped, dropped, ...(dropped > 0 && { reasons }) };
}
