/** Each function's cron ran when it should have, and did all of its work. */
import { Cron } from 'croner';
import { listCronRuns } from '../../../lib/cron-runs.ts';
import type { FunctionSpec } from '../../../tooling/deployment.ts';
import { ageOf, type Check, type Finding, isLoopback, withoutDatabase } from '../check.ts';

/** Two runs may be missed: the platform starts them when it has time. */
const MISSED = 3;
const GRACE_MS = 2 * 60_000;

export const crons = (functions: readonly FunctionSpec[]): Check => ({
  title: 'Crons',
  async run(patient) {
    const { sql, now, url } = patient;
    if (sql === undefined) return withoutDatabase(patient);
    const runs = await listCronRuns({ sql });
    const findings = functions
      .filter(({ crons: own }) => own.length > 0)
      .flatMap(({ fn, name, crons: own }): Finding[] => {
        const run = runs.find((one) => one.function === fn);
        const mend = isLoopback(url)
          ? 'npm run dev, and look at its log'
          : `npm run deploy -- ${fn}, then npx wrangler tail ${name}`;
        if (run === undefined) return [{ fault: `The cron of ${fn} never ran.`, mend }];
        const age = now() - run.beganAt.getTime();
        const allowed = MISSED * Math.min(...own.map(intervalOf)) + GRACE_MS;
        if (age > allowed) return [{ fault: `The cron of ${fn} last ran ${ageOf(age)} ago.`, mend }];
        if (run.failedAt !== null && (run.endedAt === null || run.failedAt > run.endedAt))
          return [
            {
              fault: `The last run of ${fn}'s cron left work undone (${run.failedAt.toISOString()}); ${succeeded(run.endedAt)}.`,
              mend: `npx wrangler tail ${name} at its next run: “cron job failed” names the job and its cause; it tries again by itself`,
            },
          ];
        return [];
      });
    return {
      findings,
      well: runs.map((run) => `${run.function} ${ageOf(now() - run.beganAt.getTime())} ago`).join(', '),
    };
  },
});

const succeeded = (at: Date | null): string =>
  at === null
    ? 'no run ever did all of its work'
    : `the last run that did all of it ended at ${at.toISOString()}`;

function intervalOf(cron: string): number {
  const [first, second] = new Cron(cron, { timezone: 'UTC' }).nextRuns(2);
  return (second?.getTime() ?? 0) - (first?.getTime() ?? 0);
}
