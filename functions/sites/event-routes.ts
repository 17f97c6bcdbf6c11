import { ServerRequest } from '../../lib/collection/server-request.ts';
import { takeServerEvents } from '../../lib/collection/take-server-events.ts';
import { NoQuery, readJson, readQuery, siteIdOf } from '../../lib/http/read.ts';
import type { Guards, SitesApp } from './guards.ts';
import { contextOf } from './resources.ts';

/** Custom events from a member's own server. The request's address, country and user agent are that server's and aren't read. */
export function addEventRoutes(app: SitesApp, { gate, limit }: Guards) {
  return app.post('/api/v1/sites/:siteId/events', gate, limit, async (c) => {
    readQuery(c, NoQuery);
    const { deliver } = c.var.resources;
    const ctx = { ...contextOf(c), deliver };
    return c.json({ data: await takeServerEvents(ctx, siteIdOf(c), await readJson(c, ServerRequest)) }, 202);
  });
}
