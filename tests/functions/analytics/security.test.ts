import { protectedRoute } from '../../security/protected-route.ts';
import { useStack } from '../../services/stack.ts';

const stack = useStack();
const limit = { name: 'analytics', quota: 100, windowSeconds: 60 };

for (const report of ['overview', 'timeseries', 'pages', 'sources', 'devices', 'browsers', 'live']) {
  protectedRoute(stack, {
    method: 'GET',
    path: ({ siteId }) => `/api/v1/sites/${siteId}/analytics/${report}`,
    status: 200,
    writes: false,
    owned: true,
    limit,
  });
}
