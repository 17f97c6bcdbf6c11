import { DEADLINES_MS } from '../../lib/db.ts';
import { connectSql } from '../../lib/http/connect-stores.ts';
import { healthEntrypoint } from '../../lib/http/health.ts';
import { createMcpApp } from './app.ts';
import { Env } from './env.ts';

const app = createMcpApp();

export const Health = healthEntrypoint(Env, (env) => connectSql(env, DEADLINES_MS.management));

export default { fetch: app.fetch };
