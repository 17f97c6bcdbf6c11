import { DEADLINES_MS } from '../../lib/db.ts';
import { createApp } from '../../lib/http/app.ts';
import { connectSql } from '../../lib/http/connect-stores.ts';
import { type Log, logToConsole } from '../../lib/http/log.ts';
import { getSitePolicy } from '../../lib/sites/site-policy.ts';
import { Env } from './env.ts';

/** `GET /:site`, an id or an alias: the site's `SitePolicy`, or 404. Without a gate: only a binding reaches it. */
export function createPoliciesApp({ log = logToConsole }: { log?: Log } = {}) {
  const app = createApp({
    name: 'sites',
    env: Env,
    log,
    resources: (env) => ({ sql: connectSql(env, DEADLINES_MS.management) }),
  });
  return app.get('/:site', async (c) =>
    c.json(await getSitePolicy(c.var.resources, { site: c.req.param('site').toLowerCase() })),
  );
}
