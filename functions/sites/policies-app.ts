import { DEADLINES_MS } from '../../lib/db.ts';
import { afterwards } from '../../lib/http/afterwards.ts';
import { createApp } from '../../lib/http/app.ts';
import { connectStores } from '../../lib/http/connect-stores.ts';
import { type Log, logToConsole } from '../../lib/http/log.ts';
import { createPolicyCopies } from '../../lib/privacy/policy-copies.ts';
import { getSitePolicy } from '../../lib/sites/site-policy.ts';
import { Env } from './env.ts';

/** `GET /:site`, an id or an alias: the site's `SitePolicy`, or 404. Renews its copy. Without a gate: only a binding reaches it. */
export function createPoliciesApp({ log = logToConsole }: { log?: Log } = {}) {
  const app = createApp({
    name: 'sites',
    env: Env,
    log,
    resources: (env) => {
      const { sql, redis } = connectStores(env, DEADLINES_MS.management);
      return { sql, copies: createPolicyCopies(redis) };
    },
  });
  return app.get('/:site', async (c) => {
    const site = c.req.param('site').toLowerCase();
    const read = await getSitePolicy(c.var.resources, { site });
    afterwards(c, 'sites', c.var.resources.copies.renew(site, read));
    return c.json(read.policy);
  });
}
