import { type Deliver, foldOrQueue, GIVE_UP_MS } from '../collection/fold-or-queue.ts';
import type { TrackMessage } from '../collection/track-message.ts';
import { causesOf, type Log } from './log.ts';

/** The bindings that accept events. */
export interface DeliveryBindings {
  /** The entrypoint `Messages` of `ingest`. */
  INGEST: { fetch(url: string, init: RequestInit): Promise<Response> };
  /** The queue that `ingest` consumes. */
  EVENTS: { sendBatch(messages: Iterable<{ body: TrackMessage; contentType: 'json' }>): Promise<unknown> };
}

/** Makes messages durable: `ingest` folds them at once, or the queue holds them for `ingest`. `name` is the function's name in the log. */
export function createDelivery(
  { INGEST, EVENTS }: DeliveryBindings,
  { name, now, log }: { name: string; now: () => number; log: Log },
): Deliver {
  return foldOrQueue({
    fold: async (messages) => {
      const response = await INGEST.fetch('http://ingest/', {
        method: 'POST',
        body: JSON.stringify(messages),
        signal: AbortSignal.timeout(GIVE_UP_MS),
      });
      await response.body?.cancel();
      if (response.status !== 204) throw new Error(`ingest answered ${response.status} for messages`);
    },
    enqueue: (messages) => EVENTS.sendBatch(messages.map((body) => ({ body, contentType: 'json' }))),
    now,
    report: (fault) =>
      log({ level: 'error', function: name, event: 'folding-paused', causes: causesOf(fault) }),
  });
}
