/** Evaluates alerts every minute, from sums alone. It has no route, and nobody asks it anything but its health. */
import { ALERT_JOBS } from '../../lib/alerts/maintain-alerts.ts';
import { runCron } from '../../lib/cron-runs.ts';
import { DEADLINES_MS } from '../../lib/db.ts';
import { connectSql } from '../../lib/http/connect-stores.ts';
import { prepareOnce } from '../../lib/http/env.ts';
import { healthEntrypoint } from '../../lib/http/health.ts';
import { reportJob } from '../../lib/http/log.ts';
import { Env } from './env.ts';

const prepare = prepareOnce(Env, (env) => ({
  sql: connectSql(env, DEADLINES_MS.background),
  now: () => Date.now(),
}));

export const Health = healthEntrypoint(Env, (env) => connectSql(env, DEADLINES_MS.management), 'alerts');

export default {
  fetch: (): Response => new Response(null, { status: 404 }),

  async scheduled(_: unknown, raw: object): Promise<void> {
    await runCron(prepare(raw).resources, {
      function: 'alerts',
      jobs: ALERT_JOBS,
      inTurn: true,
      report: reportJob('alerts'),
    });
  },
};
