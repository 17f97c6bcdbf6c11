import { joinErrors, type NotedError } from './note-error.ts';

/** Keys that are remembered; beyond that the oldest are forgotten. */
const MAX_KEYS = 10_000;

export interface ErrorNotesOptions {
  sleep: (ms: number) => Promise<void>;
  /** Epoch milliseconds. */
  now: () => number;
  /** Minimum time between two writes of a key. */
  pauseMs?: number;
}

/** Notes an error under a key; `write` stores one note for all errors since the last one. */
export type NoteLater = (
  key: string,
  error: NotedError,
  write: (note: NotedError) => Promise<void>,
) => Promise<void>;

/**
 * Stores errors so that a broken sender costs little and none is lost: the first of a key at once, those of the next seconds together.
 * The call that waits for these seconds stores what has come until then.
 */
export function createErrorNotes({ sleep, now, pauseMs = 5000 }: ErrorNotesOptions): NoteLater {
  const waiting = new Map<string, NotedError>();
  /** When the next write of a key may be, and when it must have been: a runtime may stop a call that waits. */
  const writes = new Map<string, { nextMs: number; isAwaited: boolean }>();
  return async (key, error, write) => {
    waiting.set(key, joinErrors(waiting.get(key), error));
    const { nextMs = 0, isAwaited = false } = writes.get(key) ?? {};
    const overdue = now() > nextMs + pauseMs;
    if (isAwaited && !overdue) return;
    if (now() < nextMs) {
      writes.set(key, { nextMs, isAwaited: true });
      await sleep(nextMs - now());
    }
    const note = waiting.get(key);
    if (note === undefined) return;
    waiting.delete(key);
    writes.delete(key);
    writes.set(key, { nextMs: now() + pauseMs, isAwaited: false });
    if (writes.size > MAX_KEYS) writes.delete(writes.keys().next().value ?? key);
    await write(note);
  };
}
