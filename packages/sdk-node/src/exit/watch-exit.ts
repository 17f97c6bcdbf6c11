/**
 * Sends what is left before the process ends by `process.exit()`, an uncaught error, SIGINT or SIGTERM. How it ends is the application's
 * own affair: exit codes, signals and its own handlers work as without the SDK.
 */
import type { EventEmitter } from 'node:events';
import { isMainThread } from 'node:worker_threads';

export interface Exit {
  /** Sends what is left while the thread waits. */
  sendNow(): void;
  /** Collects what can't be collected while the thread waits. Never rejects. */
  collect(): Promise<void>;
}

/** By default they end the process at once. Only the main thread gets them. */
const SIGNALS: readonly NodeJS.Signals[] = isMainThread ? ['SIGINT', 'SIGTERM'] : [];

/** Returns what ends it. */
export function watchExit({ sendNow, collect }: Exit): () => void {
  /** The listener that comes or goes is ours. */
  let isOurs = false;
  let ended = false;

  function change(action: () => void): void {
    isOurs = true;
    action();
    isOurs = false;
  }
  const listen = (signal: NodeJS.Signals) => change(() => process.on(signal, endBySignal));
  const unlisten = (signal: NodeJS.Signals) => change(() => process.off(signal, endBySignal));

  /** A second signal ends the process at once. */
  async function endBySignal(signal: NodeJS.Signals): Promise<void> {
    leaveSignals();
    await collect();
    sendNow();
    process.kill(process.pid, signal);
  }

  /** A handler of the application decides alone. */
  function onNewListener(event: string | symbol): void {
    if (isOurs) return;
    if (isSignal(event)) unlisten(event);
    // Its listener may collect more, so ours goes behind it.
    else if (event === 'exit') queueMicrotask(listenLast);
  }

  function onRemoveListener(event: string | symbol): void {
    if (!isOurs && isSignal(event) && process.listenerCount(event) === 0) listen(event);
  }

  function listenLast(): void {
    if (!ended) change(() => process.off('exit', sendNow).on('exit', sendNow));
  }

  function leaveSignals(): void {
    events.off('newListener', onNewListener).off('removeListener', onRemoveListener);
    for (const signal of SIGNALS) unlisten(signal);
  }

  for (const signal of SIGNALS) if (process.listenerCount(signal) === 0) listen(signal);
  // Before Node.js's own listener, which starts to watch the signal only if nobody did.
  events.prependListener('newListener', onNewListener).on('removeListener', onRemoveListener);
  process.on('exit', sendNow);
  return () => {
    ended = true;
    leaveSignals();
    process.off('exit', sendNow);
  };
}

/** The types of `process` lack some of its events. */
const events: EventEmitter = process;

const isSignal = (event: string | symbol): event is NodeJS.Signals => SIGNALS.some((one) => one === event);
