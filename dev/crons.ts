import { Cron } from 'croner';
import type { Stack } from './stack.ts';

/**
 * Runs every function's crons once now, since the service may have been off for days, and then at their times (UTC, like the platform)
 * until the returned function is called, which promises the end of those that run.
 */
export function startCrons(stack: Stack, onError: (error: unknown) => void): () => Promise<void> {
  const running = new Set<Promise<void>>();
  const run = async (fn: string, cron: string): Promise<void> => {
    const ended = stack.scheduled(fn, cron);
    running.add(ended);
    await ended.finally(() => running.delete(ended));
  };
  const jobs = stack.functions.flatMap(({ fn, crons }) =>
    crons.map(
      (cron) => new Cron(cron, { timezone: 'UTC', protect: true, catch: onError }, () => run(fn, cron)),
    ),
  );
  for (const job of jobs) void job.trigger();
  return async () => {
    for (const job of jobs) job.stop();
    await Promise.allSettled(running);
  };
}
