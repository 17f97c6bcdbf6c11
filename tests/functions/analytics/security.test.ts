import { VALUE_LISTS } from '../../../functions/analytics/lists.ts';
import { protectedRoute } from '../../security/protected-route.ts';
import type { Tenant } from '../../security/tenant.ts';
import { useStack } from '../../services/stack.ts';

const stack = useStack();
const limit = { name: 'analytics', quota: 100, windowSeconds: 60 };

const LISTS = VALUE_LISTS.map(({ path }) => path);
const PAGES = ['pages', 'entry-pages', 'exit-pages', 'utm?by=campaign'];

for (const report of ['overview', 'timeseries', 'dropped', 'live', ...PAGES, ...LISTS]) {
  protectedRoute(stack, {
    method: 'GET',
    path: ({ siteId }) => `/api/v1/sites/${siteId}/analytics/${report}`,
    status: 200,
    writes: false,
    owned: true,
    limit,
  });
}

const annotations = ({ siteId }: Tenant) => `/api/v1/sites/${siteId}/analytics/annotations`;
const note = { date: '2026-11-21', text: 'New prices' };

protectedRoute(stack, { method: 'GET', path: annotations, status: 200, writes: false, owned: true, limit });
protectedRoute(stack, {
  method: 'POST',
  path: annotations,
  body: note,
  status: 201,
  writes: true,
  owned: true,
  limit,
});
protectedRoute(stack, {
  method: 'DELETE',
  path: (tenant) => `${annotations(tenant)}/${tenant.siteId}`,
  prepare: async (sql, { siteId }) => {
    await sql`
      insert into site_annotations (id, site_id, date, text) values (${siteId}, ${siteId}, ${note.date}, ${note.text})`;
  },
  status: 204,
  writes: true,
  owned: true,
  limit,
});
