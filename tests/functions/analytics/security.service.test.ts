import type { Sql } from '../../../lib/db.ts';
import { VALUE_LISTS } from '../../../lib/visits/dimensions.ts';
import { addFunnel, addGoal } from '../../security/definitions.ts';
import { protectedRoute } from '../../security/protected-route.ts';
import type { Tenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';

const stack = useStack();
const limit = { name: 'analytics', quota: 100, windowSeconds: 60 };

const LISTS = VALUE_LISTS.map(({ path }) => path);
const PAGES = ['pages', 'entry-pages', 'exit-pages', 'utm?by=campaign', 'visit-quality?by=entry_page'];

const MEASURES = ['engagement', 'vitals'];
const BEHAVIOUR = [
  'events',
  'events/signup/props',
  'page-props',
  'journeys',
  'retention',
  'associations?page=/',
];

for (const report of [
  'overview',
  'timeseries',
  'heatmap',
  'dropped',
  'live',
  ...PAGES,
  ...LISTS,
  ...MEASURES,
  ...BEHAVIOUR,
]) {
  protectedRoute(stack, {
    method: 'GET',
    path: ({ siteId }) => `/api/v1/sites/${siteId}/analytics/${report}`,
    status: 200,
    writes: false,
    owned: true,
    limit,
  });
}

protectedRoute(stack, {
  method: 'GET',
  path: ({ siteId }) => `/api/v1/sites/${siteId}/analytics/reports?report=overview,pages`,
  status: 200,
  writes: false,
  owned: true,
  limit,
});

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

const goals = ({ siteId }: Tenant) => `/api/v1/sites/${siteId}/analytics/goals`;
const funnels = ({ siteId }: Tenant) => `/api/v1/sites/${siteId}/analytics/funnels`;
const steps = [{ page: '/' }, { event: 'signup' }];
const read = { method: 'GET', status: 200, writes: false, owned: true, limit } as const;
const write = { writes: true, owned: true, limit } as const;

protectedRoute(stack, { ...read, path: goals });
protectedRoute(stack, { ...read, path: (tenant) => `${goals(tenant)}/report` });
protectedRoute(stack, {
  ...write,
  method: 'POST',
  path: goals,
  body: { name: 'New', event: 'signup' },
  status: 201,
});
const ofGoal = {
  ...write,
  path: (tenant: Tenant) => `${goals(tenant)}/${tenant.siteId}`,
  prepare: async (sql: Sql, { siteId }: Tenant) => {
    await addGoal(sql, siteId, { id: siteId, name: 'Signed up', event: 'signup' });
  },
};
protectedRoute(stack, { ...ofGoal, method: 'PATCH', body: { name: 'New' }, status: 200 });
protectedRoute(stack, { ...ofGoal, method: 'DELETE', status: 204 });

protectedRoute(stack, { ...read, path: funnels });
protectedRoute(stack, { ...write, method: 'POST', path: funnels, body: { name: 'New', steps }, status: 201 });
const ofFunnel = {
  path: (tenant: Tenant) => `${funnels(tenant)}/${tenant.siteId}`,
  prepare: async (sql: Sql, { siteId }: Tenant) => {
    await addFunnel(sql, siteId, { id: siteId, name: 'Way', steps });
  },
};
protectedRoute(stack, { ...read, ...ofFunnel, path: (tenant) => `${ofFunnel.path(tenant)}/report` });
protectedRoute(stack, { ...write, ...ofFunnel, method: 'PATCH', body: { steps }, status: 200 });
protectedRoute(stack, { ...write, ...ofFunnel, method: 'DELETE', status: 204 });

protectedRoute(stack, {
  method: 'GET',
  path: ({ siteId }) => `/api/v1/sites/${siteId}/analytics/export?report=pages`,
  status: 200,
  writes: false,
  owned: true,
  limit,
});

protectedRoute(stack, { ...read, path: ({ siteId }) => `/api/v1/sites/${siteId}/analytics/privacy-report` });
