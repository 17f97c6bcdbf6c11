import { jsonLists } from '../../lib/http/json-lists.ts';
import { causesOf, type Log } from '../../lib/http/log.ts';
import { NoQuery, readId, readQuery, siteIdOf } from '../../lib/http/read.ts';
import { deleteVisitor } from '../../lib/visitor-data/delete-visitor.ts';
import { exportVisitor } from '../../lib/visitor-data/export-visitor.ts';
import type { Guards, SitesApp } from './guards.ts';
import { contextOf } from './resources.ts';

/**
 * What a visitor may ask a site's owner for. Here and not among the reports: this function deletes visits anyway, and whoever
 * holds a share never reaches it.
 */
export function addVisitorRoutes(app: SitesApp, { gate, limit }: Guards, log: Log) {
  return app
    .delete('/api/v1/sites/:siteId/visitors/:visitorId', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      await deleteVisitor(contextOf(c), siteIdOf(c), readId(c, 'visitorId', 'visitor'));
      return c.body(null, 204);
    })
    .get('/api/v1/sites/:siteId/visitors/:visitorId/export', gate, limit, async (c) => {
      readQuery(c, NoQuery);
      const { head, lists } = await exportVisitor(
        contextOf(c),
        siteIdOf(c),
        readId(c, 'visitorId', 'visitor'),
      );
      const { requestId } = c.var;
      const body = jsonLists(head, lists, (fault) =>
        log({ level: 'error', function: 'sites', event: 'export', requestId, causes: causesOf(fault) }),
      );
      return c.body(body, 200, { 'Content-Type': 'application/json' });
    });
}
