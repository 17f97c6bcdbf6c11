import { type ProtectedRoute, protectedRoute } from '../../security/protected-route.ts';
import type { Tenant } from '../../security/tenant.ts';
import { addAlert } from '../../security/test-alert.ts';
import { addImport } from '../../security/test-import.ts';
import { useStack } from '../../services/use-stack.ts';

const stack = useStack();
const limit = { name: 'sites', quota: 60, windowSeconds: 60 };
const policy = { jurisdiction: 'PT', consentMode: 'required', preConsentTier: 'off', retentionMonths: 6 };

const shares = ({ siteId }: Tenant) => `/api/v1/sites/${siteId}/shares`;
const segments = ({ siteId }: Tenant) => `/api/v1/sites/${siteId}/segments`;
const segment = { name: 'Iberia', filters: { country: 'PT|ES' }, shared: true };
const ofSegment: Pick<ProtectedRoute, 'path' | 'prepare' | 'writes' | 'owned'> = {
  path: (tenant) => `${segments(tenant)}/${tenant.siteId}`,
  prepare: async (sql, { siteId }) => {
    await sql`
      insert into site_segments (id, site_id, name, filters)
      values (${siteId}, ${siteId}, 'Shared', ${JSON.stringify(segment.filters)}::jsonb)`;
  },
  writes: true,
  owned: true,
};
const rule = { metric: 'visits', compare: 'above', threshold: 500 };
const alert = { name: 'Busy', ...rule };
const alerts = ({ siteId }: Tenant) => `/api/v1/sites/${siteId}/alerts`;
const ofAlert = (
  method: ProtectedRoute['method'],
  more = '',
): Omit<ProtectedRoute, 'limit' | 'status' | 'body'> => ({
  method,
  path: (tenant) => `${alerts(tenant)}/${tenant.siteId}${more}`,
  prepare: async (sql, { siteId, projectId }) => {
    await addAlert(sql, { id: siteId, siteId, projectId });
  },
  writes: method !== 'GET',
  owned: true,
});
const mailReports = ({ siteId }: Tenant) => `/api/v1/sites/${siteId}/mail-reports`;
const ofMailReport: Pick<ProtectedRoute, 'path' | 'prepare' | 'writes' | 'owned'> = {
  path: (tenant) => `${mailReports(tenant)}/${tenant.siteId}`,
  prepare: async (sql, { siteId }) => {
    await sql`
      insert into mail_reports (id, site_id, every, weekday, language, created_at, next_at)
      values (${siteId}, ${siteId}, 'day', 1, 'en', now(), now() + interval '1 day')`;
  },
  writes: true,
  owned: true,
};
const imports = ({ siteId }: Tenant) => `/api/v1/sites/${siteId}/imports`;
const ofImport = (
  method: ProtectedRoute['method'],
  more = '',
): Omit<ProtectedRoute, 'limit' | 'status' | 'body'> => ({
  method,
  path: (tenant) => `${imports(tenant)}/${tenant.siteId}${more}`,
  prepare: async (sql, { siteId }) => {
    await addImport(sql, siteId, siteId);
  },
  writes: method !== 'GET',
  owned: true,
});
const event = { id: '0b6c1f9a-3d57-4e28-9a41-7f2e8c05d6b3', name: 'purchase' };
const visitor = ({ siteId }: Tenant) => `/api/v1/sites/${siteId}/visitors/${siteId}`;

const routes: Omit<ProtectedRoute, 'limit'>[] = [
  { method: 'GET', path: mailReports, status: 200, writes: false, owned: true },
  {
    method: 'POST',
    path: mailReports,
    body: ({ siteId }) => ({ every: 'day', recipients: [`${siteId}@example.com`] }),
    status: 201,
    writes: true,
    owned: true,
  },
  { method: 'PATCH', body: { every: 'month' }, status: 200, ...ofMailReport },
  { method: 'DELETE', status: 204, ...ofMailReport },
  { method: 'GET', path: () => '/api/v1/sites', status: 200, writes: false, owned: false },
  { method: 'GET', path: () => '/api/v1/sites?period=7d', status: 200, writes: false, owned: false },
  {
    method: 'POST',
    path: () => '/api/v1/sites',
    body: { domain: 'example.com', name: 'New' },
    status: 201,
    writes: true,
    owned: false,
  },
  { method: 'GET', path: () => '/api/v1/sites/deletions', status: 200, writes: false, owned: false },
  { method: 'GET', path: ({ siteId }) => `/api/v1/sites/${siteId}`, status: 200, writes: false, owned: true },
  {
    method: 'PATCH',
    path: ({ siteId }) => `/api/v1/sites/${siteId}`,
    body: { name: 'New' },
    status: 200,
    writes: true,
    owned: true,
  },
  {
    method: 'PUT',
    path: ({ siteId }) => `/api/v1/sites/${siteId}/privacy`,
    body: policy,
    status: 200,
    writes: true,
    owned: true,
  },
  {
    method: 'DELETE',
    path: ({ siteId }) => `/api/v1/sites/${siteId}`,
    status: 204,
    writes: true,
    owned: true,
  },
  { method: 'GET', path: shares, status: 200, writes: false, owned: true },
  { method: 'POST', path: shares, body: { name: 'New' }, status: 201, writes: true, owned: true },
  {
    method: 'DELETE',
    path: (tenant) => `${shares(tenant)}/${tenant.siteId}`,
    prepare: async (sql, { siteId }) => {
      await sql`
        insert into site_shares (id, site_id, name, hash, reports)
        values (${siteId}, ${siteId}, 'New', uuid_send(${siteId}::uuid), '{}')`;
    },
    status: 204,
    writes: true,
    owned: true,
  },
  { method: 'GET', path: segments, status: 200, writes: false, owned: true },
  { method: 'POST', path: segments, body: segment, status: 201, writes: true, owned: true },
  { ...ofSegment, method: 'PATCH', body: { name: 'New' }, status: 200 },
  { ...ofSegment, method: 'DELETE', status: 204 },
  { method: 'GET', path: () => '/api/v1/alerts?state=firing', status: 200, writes: false, owned: false },
  { method: 'GET', path: alerts, status: 200, writes: false, owned: true },
  { method: 'POST', path: alerts, body: alert, status: 201, writes: true, owned: true },
  // The route changes nothing that members see, but viewers are refused too.
  {
    method: 'POST',
    path: (tenant) => `${alerts(tenant)}/preview`,
    body: rule,
    status: 200,
    writes: true,
    owned: true,
  },
  { ...ofAlert('GET'), status: 200 },
  { ...ofAlert('GET', '/history'), status: 200 },
  { ...ofAlert('PATCH'), body: { threshold: 900 }, status: 200 },
  { ...ofAlert('DELETE'), status: 204 },
  {
    method: 'POST',
    path: ({ siteId }) => `/api/v1/sites/${siteId}/events`,
    body: { events: [event] },
    status: 202,
    writes: true,
    owned: true,
  },
  { method: 'GET', path: imports, status: 200, writes: false, owned: true },
  {
    method: 'POST',
    path: imports,
    body: { source: 'umami', dimensions: [], contentHash: '0'.repeat(64) },
    status: 200,
    writes: true,
    owned: true,
  },
  { ...ofImport('GET'), status: 200 },
  { ...ofImport('POST', '/finish'), body: { pieces: 2 }, status: 200 },
  { ...ofImport('DELETE'), status: 204 },
  { method: 'DELETE', path: visitor, status: 204, writes: true, owned: true },
  // The route changes nothing, but viewers are refused too.
  { method: 'GET', path: (tenant) => `${visitor(tenant)}/export`, status: 200, writes: true, owned: true },
];

for (const route of routes) protectedRoute(stack, { ...route, limit });
protectedRoute(stack, {
  ...ofImport('POST', '/pieces'),
  body: { number: 3, days: [['2026-03-30', 1, 1, 1]] },
  status: 204,
  limit: { name: 'imports', quota: 300, windowSeconds: 60 },
});
