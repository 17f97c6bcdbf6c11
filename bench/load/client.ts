import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { LoadJob, LoadResult } from './job.ts';

/** Lets `use` have a process that makes load, one job at a time, and ends it afterwards. */
export async function withLoad<T>(
  use: (run: (job: LoadJob) => Promise<LoadResult>) => Promise<T>,
): Promise<T> {
  const child = fork(join(import.meta.dirname, 'process.ts'));
  try {
    return await use(async (job) => {
      const answered = Promise.race([
        once(child, 'message'),
        once(child, 'exit').then(([code]) => Promise.reject(new Error(`the load ended with code ${code}`))),
      ]);
      child.send(job);
      const [result] = await answered;
      return result as LoadResult;
    });
  } finally {
    if (child.connected) child.disconnect();
  }
}
