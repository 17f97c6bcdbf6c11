import { sayOnce } from '../say.ts';
import type { Delivery } from './delivery.ts';

const BATCH = 512;
/** Beyond it items are dropped, and counted: the application’s memory comes first. */
const MAX_WAITING = 4096;
const EVERY_MS = 1000;

/** Items that wait to be sent. */
export interface Outbox<T> {
  add(item: T): void;
  /** Resolves when everything that was added before is sent or lost. Never rejects. */
  flush(): Promise<void>;
}

export function makeOutbox<T>(
  { items, deliver }: Delivery,
  encode: (batch: T[]) => Uint8Array | undefined,
): Outbox<T> {
  const waiting: T[] = [];
  let dropped = 0;
  let timer: NodeJS.Timeout | undefined;
  let sending: Promise<void> | undefined;

  async function send(): Promise<void> {
    while (waiting.length > 0) {
      const batch = waiting.splice(0, BATCH);
      try {
        const body = encode(batch);
        if (body) await deliver(body, batch.length);
      } catch (error) {
        sayOnce(
          `${batch.length} ${items} were lost: they couldn't be encoded (${nameOf(error)}).`,
          `encode ${items}`,
        );
      }
    }
  }

  function start(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    sending ??= send().finally(() => {
      sending = undefined;
    });
    return sending;
  }

  return {
    add(item) {
      if (waiting.length >= MAX_WAITING) {
        dropped += 1;
        // Said at 1, 10, 100 …
        if (/^10*$/.test(String(dropped)))
          sayOnce(`the queue is full: ${dropped} ${items} were dropped so far.`);
        return;
      }
      waiting.push(item);
      if (sending) return;
      if (waiting.length >= BATCH) void start();
      else if (timer === undefined) {
        timer = setTimeout(start, EVERY_MS);
        timer.unref();
      }
    },
    async flush() {
      await sending;
      await start();
    },
  };
}

const nameOf = (error: unknown): string => (error instanceof Error ? error.name : 'error');
