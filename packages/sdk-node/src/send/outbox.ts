import { sayOnce } from '../say.ts';
import { type Delivery, ENDED, TOO_LARGE } from './delivery.ts';
import type { LastRequest } from './send-now.ts';

const BATCH = 512;
/** Beyond it items are dropped, and counted: the application’s memory comes first. */
const MAX_WAITING = 4096;
/** What waits and what is under way, as `sizeOf` tells it. */
const MAX_BYTES = 16 * 1024 * 1024;
const EVERY_MS = 1000;
/** A request of `takeLeft` that is larger is halved: the service takes 4 MiB as sent, and 16 MiB inflated. */
const MAX_LAST_BYTES = 4 * 1024 * 1024;

export interface Encoding<T> {
  encode(batch: T[]): Uint8Array | undefined;
  /** About how many bytes the item takes. */
  sizeOf(item: T): number;
}

/** Items that wait to be sent. */
export interface Outbox<T> {
  add(item: T): void;
  /** Resolves when everything that was added before is sent or lost. Never rejects. */
  flush(): Promise<void>;
  /** Requests for everything that isn't sent. They are the caller's to send. Nothing is taken any more. */
  takeLeft(): LastRequest[];
  /** Ends the request under way, and says how many items were not sent. Nothing is taken any more. */
  end(): void;
}

export const whyNotEncoded = (error: unknown): string =>
  `they couldn't be encoded (${error instanceof Error ? error.name : 'error'}).`;

export function makeOutbox<T>(
  { items, deliver, prepare, lose, end }: Delivery,
  { encode, sizeOf }: Encoding<T>,
): Outbox<T> {
  const waiting: T[] = [];
  /** Of each that waits. */
  const sizes: number[] = [];
  /** Of those that wait and those under way. */
  let bytes = 0;
  let underWay: T[] = [];
  /** How many were ever taken out of it. */
  let taken = 0;
  let dropped = 0;
  let ended = false;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  /** Sends a batch, and full ones as long as there are any: many small requests would cost the application more. */
  async function send(): Promise<void> {
    do {
      const batch = waiting.splice(0, BATCH);
      underWay = [...batch];
      taken += batch.length;
      const size = sizes.splice(0, BATCH).reduce((sum, one) => sum + one, 0);
      if (batch.length > 0) await sendBatch(batch);
      bytes -= size;
    } while (waiting.length >= BATCH && !ended);
    underWay = [];
  }

  /** One item that can't be encoded, or that makes the request too large, must not take others with it. */
  async function sendBatch(batch: T[]): Promise<void> {
    const why = await tryBatch(batch);
    if (ended) return;
    if (why === undefined) underWay.splice(0, batch.length);
    else if (batch.length === 1) {
      underWay.shift();
      lose(1, why);
    } else {
      const half = Math.ceil(batch.length / 2);
      await sendBatch(batch.slice(0, half));
      await sendBatch(batch.slice(half));
    }
  }

  /** Why the batch must be sent in pieces. */
  async function tryBatch(batch: T[]): Promise<string | undefined> {
    if (ended) return undefined;
    let body: Uint8Array | undefined;
    try {
      body = encode(batch);
    } catch (error) {
      return whyNotEncoded(error);
    }
    return body && (await deliver(body, batch.length)) === 'too large' ? TOO_LARGE : undefined;
  }

  /** In pieces, as `sendBatch` does it. */
  function prepareBatch(batch: T[]): LastRequest[] {
    try {
      const body = encode(batch);
      if (!body) return [];
      if (batch.length === 1 || body.length <= MAX_LAST_BYTES) return [prepare(body, batch.length)];
    } catch (error) {
      if (batch.length === 1) {
        lose(1, whyNotEncoded(error));
        return [];
      }
    }
    const half = Math.ceil(batch.length / 2);
    return [...prepareBatch(batch.slice(0, half)), ...prepareBatch(batch.slice(half))];
  }

  /** What isn't sent. */
  function clear(): T[] {
    ended = true;
    clearTimeout(timer);
    sizes.length = 0;
    return [...underWay.splice(0), ...waiting.splice(0)];
  }

  function start(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    sending ??= send().finally(() => {
      sending = undefined;
      if (waiting.length > 0) startSoon();
    });
    return sending;
  }

  function startSoon(): void {
    if (timer !== undefined || ended) return;
    timer = setTimeout(start, EVERY_MS);
    timer.unref();
  }

  return {
    add(item) {
      if (ended) return;
      const size = sizeOf(item);
      if (waiting.length >= MAX_WAITING || bytes + size > MAX_BYTES) {
        dropped += 1;
        // Said at 1, 10, 100 …
        if (/^10*$/.test(String(dropped)))
          sayOnce(`the queue is full: ${items} were dropped (${dropped} so far).`);
        return;
      }
      waiting.push(item);
      sizes.push(size);
      bytes += size;
      if (sending) return;
      if (waiting.length >= BATCH) void start();
      else startSoon();
    },
    async flush() {
      const until = taken + waiting.length;
      await sending;
      while (taken < until && !ended) await start();
    },
    takeLeft() {
      const left = clear();
      return Array.from({ length: Math.ceil(left.length / BATCH) }, (_, index) =>
        prepareBatch(left.slice(index * BATCH, (index + 1) * BATCH)),
      ).flat();
    },
    end() {
      const { length } = clear();
      if (length > 0) lose(length, ENDED);
      if (dropped > 1) sayOnce(`the queue was full: ${items} were dropped (${dropped} in all).`);
      end();
    },
  };
}
