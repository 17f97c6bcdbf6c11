import { createApp } from '../../lib/http/app.ts';
import { forward } from '../../lib/http/forward.ts';
import { type Log, logToConsole } from '../../lib/http/log.ts';
import { NoQuery, readJson, readQuery, siteIdOf } from '../../lib/http/read.ts';
import { createSite } from '../../lib/sites/create-site.ts';
import { deleteSite } from '../../lib/sites/delete-site.ts';
import { getSite } from '../../lib/sites/get-site.ts';
import { getSitePolicy } from '../../lib/sites/get-site-policy.ts';
import { listDeletions } from '../../lib/sites/list-deletions.ts';
import { listSites } from '../../lib/sites/list-sites.ts';
import { renameSite } from '../../lib/sites/rename-site.ts';
import { replacePrivacy } from '../../lib/sites/replace-privacy.ts';
import { NewSite, PrivacyPolicy, SiteChange } from '../../lib/sites/schemas.ts';
import { Env } from './env.ts';
import { addEventRoutes } from './event-routes.ts';
import { type Bindings, createGuards } from './guards.ts';
import { contextOf, createResources } from './resources.ts';
import { addShareRoutes } from './share-routes.ts';
import { addVisitorRoutes } from './visitor-routes.ts';

/** Site management (docs/sites.md), the way to a site's reports, and policies for `track`. */
export function createSitesApp({ log = logToConsole }: { log?: Log } = {}) {
  const guards = createGuards();
  const { gate, limit } = guards;
  const app = createApp({
    name: 'sites',
    env: Env,
    log,
    resources: (env, bindings: Bindings) => createResources(env, bindings, log),
  });
  addShareRoutes(app, guards);
  addEventRoutes(app, guards);
  addVisitorRoutes(app, guards, log);

  return app
    .all('/api/v1/sites/:siteId/analytics/*', (c) => forward(c, c.env.ANALYTICS))
    .get('/internal/sites/:siteId/policy', async (c) =>
      c.json(await getSitePolicy(c.var.resources, siteIdOf(c))),
    )
    .get('/api/v1/sites', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await listSites(contextOf(c)) });
    })
    .post('/api/v1/sites', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await createSite(contextOf(c), await readJson(c, NewSite)) }, 201);
    })
    .get('/api/v1/sites/deletions', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await listDeletions(contextOf(c)) });
    })
    .get('/api/v1/sites/:siteId', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await getSite(contextOf(c), siteIdOf(c)) });
    })
    .patch('/api/v1/sites/:siteId', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await renameSite(contextOf(c), siteIdOf(c), await readJson(c, SiteChange)) });
    })
    .put('/api/v1/sites/:siteId/privacy', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({
        data: await replacePrivacy(contextOf(c), siteIdOf(c), await readJson(c, PrivacyPolicy)),
      });
    })
    .delete('/api/v1/sites/:siteId', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      await deleteSite(contextOf(c), siteIdOf(c));
      return c.body(null, 204);
    });
}

export type AppType = ReturnType<typeof createSitesApp>;
