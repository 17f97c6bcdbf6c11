/** The thread that has the queue's file: a commit waits for the disk, and requests must not wait with it. */
import { parentPort, workerData } from 'node:worker_threads';
import { openQueueFile, type QueueFile } from './queue-file.ts';

/** A call of one of the file's methods. */
export interface Call {
  id: number;
  method: keyof QueueFile;
  args: unknown[];
}
export type Result = { id: number; value: unknown } | { id: number; fault: string };

const file = openQueueFile(workerData as string);

parentPort?.on('message', async ({ id, method, args }: Call) => {
  try {
    const call = file[method] as (...given: unknown[]) => unknown;
    parentPort?.postMessage({ id, value: await call(...args) } satisfies Result);
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    parentPort?.postMessage({ id, fault } satisfies Result);
  }
});
