import type { TrackMessage } from './track-message.ts';

/** Slots for folds in an isolate. Folds of one site take turns, and a burst is better on the queue, which folds a hundred messages as one. */
const AT_ONCE = 4;
/**
 * Minimum time a fold holds its slot, and as long again for each message that found no free slot since the fold before began: an
 * isolate begins at most 40 folds a second, and few in a longer burst.
 */
export const LEAST_MS = 100;
/** Maximum time a finished fold keeps its slot: four folds a second in a burst, and its end is noticed within this time. */
export const BURST_MS = 1_000;
/** A slower fold means that the database is behind. A new connection from the other side of the world alone takes 1,000. */
export const SLOW_MS = 1_500;
/** A fold gives up before this. The fold of a request that the runtime cancelled never ends, and holds its slot this long. */
export const GIVE_UP_MS = 3_000;
/** After a fold that failed or was slow, everything is queued for this long; then one fold at a time tries, until one succeeds. */
export const PAUSE_MS = 5_000;

export interface DeliveryPorts {
  /** Stores and folds. When the promise resolves, the messages are durable; when it rejects, they may be stored too, and count once. */
  fold: (messages: readonly TrackMessage[]) => Promise<unknown>;
  /** Puts messages on the queue, which is folded later. When the promise resolves, they are durable. */
  enqueue: (messages: readonly TrackMessage[]) => Promise<unknown>;
  /** The present instant, epoch milliseconds. */
  now: () => number;
  /** Called with the reason when folding pauses. */
  report: (fault: unknown) => void;
}

/** Makes messages durable. Rejects only if the queue is needed and can't be reached. */
export type Deliver = (messages: readonly TrackMessage[]) => Promise<void>;

/**
 * Folds messages at once, and queues those that come while all slots are taken, and all for a while after a fold that failed or was
 * slow. A message whose fold failed is queued, even if it may be stored. No message waits for another's fold.
 */
export function foldOrQueue({ fold, enqueue, now, report }: DeliveryPorts): Deliver {
  /** The slots that are taken, each with the instant at which it is free again. */
  let slots: { until: number }[] = [];
  let pausedUntil = 0;
  let most = AT_ONCE;
  /** Messages that found no free slot since the last fold began. */
  let turnedAway = 0;

  function pause(fault: unknown): void {
    if (now() >= pausedUntil) report(fault);
    pausedUntil = now() + PAUSE_MS;
    most = 1;
  }

  return async (messages) => {
    const startedAt = now();
    slots = slots.filter(({ until }) => startedAt < until);
    const isPaused = startedAt < pausedUntil;
    if (!isPaused && slots.length < most) {
      const slot = { until: startedAt + GIVE_UP_MS };
      const keepUntil = startedAt + Math.min(LEAST_MS * (1 + turnedAway), BURST_MS);
      turnedAway = 0;
      slots.push(slot);
      try {
        await fold(messages);
        const took = now() - startedAt;
        if (took > SLOW_MS) pause(new Error(`A fold took ${took} ms.`));
        else if (now() >= pausedUntil) most = AT_ONCE;
        return;
      } catch (fault) {
        pause(fault);
      } finally {
        slot.until = Math.min(slot.until, Math.max(now(), keepUntil));
      }
    } else if (!isPaused) turnedAway += 1;
    await enqueue(messages);
  };
}
