import type { TrackMessage } from './track-message.ts';

/** Places of an isolate's folds: those of one site take turns, and a burst belongs on the queue, which folds a hundred as one. */
const AT_ONCE = 4;
/**
 * A fold has its place for so long at least, and as long again for each message that found none since the last began: an isolate begins
 * no more than 40 a second, and of a burst beyond that only few.
 */
export const LEAST_MS = 100;
/** The longest that a fold which is over keeps its place: a burst has four folds a second, and is noticed to be over as soon. */
export const BURST_MS = 1_000;
/** A fold that takes longer says that the database is behind. From the other side of the world a new connection alone takes 1,000. */
export const SLOW_MS = 1_500;
/** Whoever folds gives up before this; a fold of a request that the runtime has cancelled never ends, and holds its place as long. */
export const GIVE_UP_MS = 3_000;
/** After a fold that failed or was slow, everything is queued for this long; then one fold at a time tries, until one is well. */
export const PAUSE_MS = 5_000;

export interface DeliveryPorts {
  /** Stores and folds; settled means durable. A rejection may leave it stored: the same event counts once. */
  fold: (messages: readonly TrackMessage[]) => Promise<unknown>;
  /** Puts messages on the queue that is folded later; settled means durable. */
  enqueue: (messages: readonly TrackMessage[]) => Promise<unknown>;
  /** The present instant, epoch milliseconds. */
  now: () => number;
  /** Told why folding pauses. */
  report: (fault: unknown) => void;
}

/** Makes messages durable. Rejects only when the queue was needed and can't be reached. */
export type Deliver = (messages: readonly TrackMessage[]) => Promise<void>;

/**
 * Folds at once what an isolate takes in, and queues the rest: what comes while all places are taken, and everything for a while after
 * a fold that failed or was slow. What failed to fold is queued, whatever became of it. Nobody waits for another's fold.
 */
export function foldOrQueue({ fold, enqueue, now, report }: DeliveryPorts): Deliver {
  /** Until when they are taken. */
  let places: { until: number }[] = [];
  let pausedUntil = 0;
  let most = AT_ONCE;
  /** Messages that found no place since the last fold began. */
  let turnedAway = 0;

  function pause(fault: unknown): void {
    if (now() >= pausedUntil) report(fault);
    pausedUntil = now() + PAUSE_MS;
    most = 1;
  }

  return async (messages) => {
    const startedAt = now();
    places = places.filter(({ until }) => startedAt < until);
    const isPaused = startedAt < pausedUntil;
    if (!isPaused && places.length < most) {
      const place = { until: startedAt + GIVE_UP_MS };
      const keepUntil = startedAt + Math.min(LEAST_MS * (1 + turnedAway), BURST_MS);
      turnedAway = 0;
      places.push(place);
      try {
        await fold(messages);
        const took = now() - startedAt;
        if (took > SLOW_MS) pause(new Error(`A fold took ${took} ms.`));
        else if (now() >= pausedUntil) most = AT_ONCE;
        return;
      } catch (fault) {
        pause(fault);
      } finally {
        place.until = Math.min(place.until, Math.max(now(), keepUntil));
      }
    } else if (!isPaused) turnedAway += 1;
    await enqueue(messages);
  };
}
