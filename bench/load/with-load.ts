import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import type { LoadJob, LoadResult } from './load-job.ts';

export type RunLoad = (job: LoadJob) => Promise<LoadResult>;

/** Starts a process that generates load, one job at a time, passes it to `use`, and ends it afterwards. */
export async function withLoad<T>(use: (run: RunLoad) => Promise<T>): Promise<T> {
  const child = fork(join(import.meta.dirname, 'load-process.ts'));
  const run: RunLoad = async (job) => {
    const over = new AbortController();
    const ended = once(child, 'exit', over).then(([code]) => {
      throw new Error(`the process that makes load ended with code ${code}`);
    });
    try {
      const answered = once(child, 'message', over);
      child.send(job);
      const [result] = await Promise.race([answered, ended]);
      return result as LoadResult;
    } finally {
      over.abort();
    }
  };
  try {
    return await use(run);
  } finally {
    if (child.connected) child.disconnect();
  }
}
