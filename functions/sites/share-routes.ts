import { NoQuery, readId, readJson, readQuery, siteIdOf } from '../../lib/http/read.ts';
import { createShare } from '../../lib/shares/create-share.ts';
import { listShares } from '../../lib/shares/list-shares.ts';
import { revokeShare } from '../../lib/shares/revoke-share.ts';
import { NewShare } from '../../lib/shares/schemas.ts';
import type { Guards, SitesApp } from './guards.ts';
import { contextOf } from './resources.ts';

/** Public links to a site's reports, for those who make them; `analytics` answers those who read them. */
export function addShareRoutes(app: SitesApp, { gate, limit }: Guards) {
  return app
    .get('/api/v1/sites/:siteId/shares', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await listShares(contextOf(c), siteIdOf(c)) });
    })
    .post('/api/v1/sites/:siteId/shares', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      return c.json({ data: await createShare(contextOf(c), siteIdOf(c), await readJson(c, NewShare)) }, 201);
    })
    .delete('/api/v1/sites/:siteId/shares/:shareId', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      await revokeShare(contextOf(c), siteIdOf(c), readId(c, 'shareId', 'share'));
      return c.body(null, 204);
    });
}
