import type { Sql } from '../../../lib/db.ts';
import { sumErrors } from '../../../lib/telemetry/errors/sum-errors.ts';
import { type ProtectedRoute, protectedRoute } from '../../security/protected-route.ts';
import type { Tenant } from '../../security/tenant.ts';
import { addAlert } from '../../security/test-alert.ts';
import { addTrace } from '../../security/trace.ts';
import { useStack } from '../../services/use-stack.ts';

const stack = useStack();
const reads = { name: 'reads', quota: 600, windowSeconds: 60 };
const changes = { name: 'changes', quota: 120, windowSeconds: 60 };

// The environment has the id of the tenant's site.
const at =
  (path: string) =>
  ({ projectId, siteId }: Tenant) =>
    `/api/v1/telemetry/projects/${projectId}/environments/${siteId}/${path}`;

const addEnvironment = async (sql: Sql, { projectId, siteId }: Tenant) => {
  await sql`insert into environments (id, project_id, name) values (${siteId}, ${projectId}, 'staging')`;
};

const TRACE = '5b8efff798038103d269b633813fc60c';
const withTrace = async (sql: Sql, tenant: Tenant) => {
  await addEnvironment(sql, tenant);
  await addTrace(sql, tenant.siteId, TRACE);
};

/** The group of the trace's failed span. */
const ERROR = '26ab7a5eaa921113';
const withError = async (sql: Sql, tenant: Tenant) => {
  await withTrace(sql, tenant);
  await sumErrors({ sql, now: Date.now });
};

type Route = Omit<ProtectedRoute, 'limit' | 'surface' | 'path' | 'owned'> & { path: string };

const keys: Route[] = [
  { method: 'GET', path: 'ingest-keys', status: 200, writes: false },
  { method: 'POST', path: 'ingest-keys', body: { name: 'New' }, status: 201, writes: true },
];
const control: Route[] = [
  { method: 'GET', path: 'connection-status', status: 200, writes: false },
  { method: 'GET', path: 'origins', status: 200, writes: false },
  {
    method: 'PUT',
    path: 'origins',
    body: { origins: [{ origin: 'https://api.example.com' }] },
    status: 200,
    writes: true,
  },
  { method: 'GET', path: 'retention', status: 200, writes: false },
  {
    method: 'PUT',
    path: 'retention',
    body: { traces: 1, logs: 30, metrics: 90 },
    status: 200,
    writes: true,
  },
];
const errors: Route[] = [
  {
    method: 'PATCH',
    path: `errors/${ERROR}`,
    prepare: withError,
    body: { state: 'resolved' },
    status: 200,
    writes: true,
  },
];
const withAlert = async (sql: Sql, tenant: Tenant) => {
  await addEnvironment(sql, tenant);
  await addAlert(sql, { id: tenant.siteId, projectId: tenant.projectId, environmentId: tenant.siteId });
};
const rule = { metric: 'error_rate', compare: 'above', threshold: 5 };
const alerts: Route[] = [
  { method: 'GET', path: 'alerts', status: 200, writes: false },
  { method: 'POST', path: 'alerts', body: { name: 'Busy', ...rule }, status: 201, writes: true },
  // The route changes nothing, but viewers are refused too.
  { method: 'POST', path: 'alerts/preview', body: rule, status: 200, writes: true },
];
const ofAlert: Route[] = [
  { method: 'GET', path: '', status: 200, writes: false },
  { method: 'GET', path: '/history', status: 200, writes: false },
  { method: 'PATCH', path: '', body: { threshold: 900 }, status: 200, writes: true },
  { method: 'DELETE', path: '', status: 204, writes: true },
];
const reading: Route[] = [
  { method: 'GET', path: 'services', status: 200, writes: false },
  { method: 'GET', path: 'traces', status: 200, writes: false },
  { method: 'GET', path: 'service-map', status: 200, writes: false },
  // Ends with a query. The parameter that the suite appends makes its last value invalid.
  { method: 'GET', path: 'service-summary?service=web&period=1h', status: 200, writes: false },
  { method: 'GET', path: `traces/${TRACE}`, prepare: withTrace, status: 200, writes: false },
  { method: 'GET', path: `traces/${TRACE}/journey`, prepare: withTrace, status: 200, writes: false },
  { method: 'GET', path: 'outcomes', status: 200, writes: false },
  { method: 'GET', path: 'logs', status: 200, writes: false },
  { method: 'GET', path: 'metric-catalog', status: 200, writes: false },
  { method: 'GET', path: 'metrics?name=a&aggregation=avg&period=1h', status: 200, writes: false },
];

const drawn: Route[] = [
  { method: 'GET', path: 'latency-histogram?service=web&period=1h', status: 200, writes: false },
  { method: 'GET', path: 'log-volume', status: 200, writes: false },
  { method: 'GET', path: 'errors', status: 200, writes: false },
  { method: 'GET', path: `errors/${ERROR}`, prepare: withError, status: 200, writes: false },
  { method: 'GET', path: 'metric-exemplars?name=a&period=1h', status: 200, writes: false },
];

for (const { path, ...route } of drawn)
  protectedRoute(stack, {
    ...{ prepare: addEnvironment, ...route, owned: true, ownedBy: 'projectId', path: at(path) },
    limit: { name: 'telemetry', quota: 100, windowSeconds: 60 },
  });

const shared = { owned: true, ownedBy: 'projectId', surface: 'session' } as const;

for (const { path, ...route } of [...keys, ...control, ...errors, ...alerts, ...reading])
  protectedRoute(stack, {
    ...{ prepare: addEnvironment, ...route, ...shared, path: at(path) },
    limit: route.writes ? changes : reads,
  });

protectedRoute(stack, {
  method: 'DELETE',
  path: (tenant) => `${at('ingest-keys')(tenant)}/${tenant.siteId}`,
  prepare: async (sql, tenant) => {
    await addEnvironment(sql, tenant);
    await sql`
      insert into ingest_keys (id, environment_id, name, outcomes, hash)
      values (${tenant.siteId}, ${tenant.siteId}, 'New', false, uuid_send(${tenant.siteId}::uuid))`;
  },
  status: 204,
  writes: true,
  limit: changes,
  ...shared,
});

for (const { path, ...route } of ofAlert)
  protectedRoute(stack, {
    ...route,
    path: (tenant) => `${at('alerts')(tenant)}/${tenant.siteId}${path}`,
    prepare: withAlert,
    limit: route.writes ? changes : reads,
    ...shared,
  });
