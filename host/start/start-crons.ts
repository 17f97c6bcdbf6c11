import { Cron } from 'croner';
import type { FunctionSpec } from '../../tooling/deployment.ts';
import { log } from './finish.ts';

/** Runs every cron once now, since the service may have been off for days, and then at its times (UTC). */
export function startCrons(
  functions: readonly FunctionSpec[],
  run: (fn: string, cron: string, at: Date) => Promise<void>,
): () => void {
  const jobs = functions.flatMap(({ fn, crons }) =>
    crons.map(
      (cron) =>
        new Cron(
          cron,
          { timezone: 'UTC', protect: true, catch: (error) => log(`${fn}: cron failed: ${error}`) },
          () => run(fn, cron, new Date()),
        ),
    ),
  );
  for (const job of jobs) void job.trigger();
  return () => {
    for (const job of jobs) job.stop();
  };
}
