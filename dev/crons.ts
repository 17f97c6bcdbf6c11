import { Cron } from 'croner';
import type { Stack } from './stack.ts';

/**
 * Runs every function's crons once now, since the service may have been off for days, and then at their times (UTC, like the platform)
 * until the returned function is called.
 */
export function startCrons(stack: Stack, onError: (error: unknown) => void): () => void {
  const jobs = stack.functions.flatMap(({ fn, crons }) =>
    crons.map(
      (cron) =>
        new Cron(cron, { timezone: 'UTC', protect: true, catch: onError }, () => stack.scheduled(fn, cron)),
    ),
  );
  for (const job of jobs) void job.trigger();
  return () => {
    for (const job of jobs) job.stop();
  };
}
