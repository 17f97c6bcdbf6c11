import { runCron } from '../../lib/cron-runs.ts';
import { DEADLINES_MS } from '../../lib/db.ts';
import { connectSql } from '../../lib/http/connect-stores.ts';
import { prepareOnce } from '../../lib/http/env.ts';
import { healthEntrypoint } from '../../lib/http/health.ts';
import { reportJob } from '../../lib/http/log.ts';
import { TELEMETRY_JOBS } from '../../lib/telemetry/maintain-telemetry.ts';
import { createReceiverApp } from './app.ts';
import { Env } from './env.ts';

const prepare = prepareOnce(Env, (env) => ({
  sql: connectSql(env, DEADLINES_MS.background),
  now: () => Date.now(),
}));

export const Health = healthEntrypoint(Env, (env) => connectSql(env, DEADLINES_MS.management), 'receiver');

export default {
  fetch: createReceiverApp().fetch,

  /** Runs every minute. */
  async scheduled(_: unknown, raw: object): Promise<void> {
    const ports = prepare(raw).resources;
    await runCron(ports, {
      function: 'receiver',
      jobs: TELEMETRY_JOBS,
      inTurn: true,
      report: reportJob('receiver'),
    });
  },
};
