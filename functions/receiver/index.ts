import { connectDatabase } from '../../lib/db.ts';
import { prepareOnce } from '../../lib/http/env.ts';
import { maintainTelemetry } from '../../lib/telemetry/maintain-telemetry.ts';
import { createReceiverApp } from './app.ts';
import { Env } from './env.ts';

const prepare = prepareOnce(Env, (env) => ({
  sql: connectDatabase({ url: env.DATABASE_URL, endpoint: env.DATABASE_HTTP_ENDPOINT }),
  now: () => Date.now(),
}));

export default {
  fetch: createReceiverApp().fetch,

  /** Runs every minute. */
  async scheduled(_: unknown, raw: object): Promise<void> {
    await maintainTelemetry(prepare(raw).resources);
  },
};
