import { noteCronRun } from '../../lib/cron-runs.ts';
import { DEADLINES_MS } from '../../lib/db.ts';
import { connectSql } from '../../lib/http/connect-stores.ts';
import { prepareOnce } from '../../lib/http/env.ts';
import { healthEntrypoint } from '../../lib/http/health.ts';
import { maintainTelemetry } from '../../lib/telemetry/maintain-telemetry.ts';
import { createReceiverApp } from './app.ts';
import { Env } from './env.ts';

const prepare = prepareOnce(Env, (env) => ({
  sql: connectSql(env, DEADLINES_MS.background),
  now: () => Date.now(),
}));

export const Health = healthEntrypoint(Env, (env) => connectSql(env, DEADLINES_MS.management));

export default {
  fetch: createReceiverApp().fetch,

  /** Runs every minute. */
  async scheduled(_: unknown, raw: object): Promise<void> {
    const ports = prepare(raw).resources;
    await noteCronRun(ports, { function: 'receiver', work: () => maintainTelemetry(ports) });
  },
};
