import { VALUE_LISTS } from '../../../functions/analytics/lists.ts';
import { protectedRoute } from '../../security/protected-route.ts';
import { useStack } from '../../services/stack.ts';

const stack = useStack();
const limit = { name: 'analytics', quota: 100, windowSeconds: 60 };

const LISTS = VALUE_LISTS.map(({ path }) => path);
const PAGES = ['pages', 'entry-pages', 'exit-pages', 'utm?by=campaign'];

for (const report of ['overview', 'timeseries', 'live', ...PAGES, ...LISTS]) {
  protectedRoute(stack, {
    method: 'GET',
    path: ({ siteId }) => `/api/v1/sites/${siteId}/analytics/${report}`,
    status: 200,
    writes: false,
    owned: true,
    limit,
  });
}
