import { Worker } from 'node:worker_threads';
import type { QueueFile } from './queue-file.ts';
import type { Call, Result } from './queue-thread.ts';

/** The queue's file, in a thread of its own. */
export type Queue = {
  [Method in keyof QueueFile]: (
    ...args: Parameters<QueueFile[Method]>
  ) => Promise<Awaited<ReturnType<QueueFile[Method]>>>;
};

/** Opens the file, and makes it if it is missing. `onEnd` is called if the thread ends by a fault: nothing can be kept any more. */
export function openQueue(path: string, onEnd: (error: unknown) => void): Queue {
  const thread = new Worker(new URL('./queue-thread.ts', import.meta.url), { workerData: path });
  const waiting = new Map<number, { resolve(value: unknown): void; reject(error: Error): void }>();
  let calls = 0;
  thread.on('message', (result: Result) => {
    const one = waiting.get(result.id);
    waiting.delete(result.id);
    if ('fault' in result) one?.reject(new Error(result.fault));
    else one?.resolve(result.value);
  });
  thread.on('error', (error) => {
    for (const { reject } of waiting.values()) reject(new Error('The queue has ended.', { cause: error }));
    onEnd(error);
  });
  const call =
    (method: Call['method']) =>
    (...args: unknown[]) =>
      new Promise((resolve, reject) => {
        calls += 1;
        waiting.set(calls, { resolve, reject });
        thread.postMessage({ id: calls, method, args } satisfies Call);
      });
  return {
    send: call('send'),
    peek: call('peek'),
    settle: call('settle'),
    depths: call('depths'),
    close: async () => {
      await call('close')();
      await thread.terminate();
    },
  } as Queue;
}
