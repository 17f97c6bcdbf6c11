import { DEADLINES_MS } from '../../lib/db.ts';
import { connectSql } from '../../lib/http/connect-stores.ts';
import { healthEntrypoint } from '../../lib/http/health.ts';
import { createSitesApp } from './app.ts';
import { Env } from './env.ts';
import { createPoliciesApp } from './policies-app.ts';

const app = createSitesApp();

export const Health = healthEntrypoint(Env, (env) => connectSql(env, DEADLINES_MS.management));

/** Gives policies to `track`, which alone has a binding to it. */
export const Policies = { fetch: createPoliciesApp().fetch };

export default { fetch: app.fetch };
