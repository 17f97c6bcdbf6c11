import type { Sql } from '../../../lib/db.ts';
import { sessionLimit } from '../../../lib/http/session-limits.ts';
import { addPassword, PASSWORD as SAMPLE_PASSWORD } from '../../security/account-samples.ts';
import { type ProtectedRoute, protectedRoute } from '../../security/protected-route.ts';
import { createConfirmation } from '../../security/session.ts';
import type { Tenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';

const stack = useStack();

// Everything in a path has an id of the tenant: that of its person or that of its site.
const project = ({ projectId }: Tenant) => `/api/v1/projects/${projectId}`;
const environment = (tenant: Tenant) => `${project(tenant)}/environments/${tenant.siteId}`;
const twoEnvironments = async (sql: Sql, { projectId, siteId }: Tenant) => {
  await sql`
    insert into environments (id, project_id, name)
    values (${siteId}, ${projectId}, 'staging'), (gen_random_uuid(), ${projectId}, 'production')`;
};
const otherOwner = async (sql: Sql, { projectId, siteId }: Tenant) => {
  await sql`insert into users (id, email) values (${siteId}, ${`${siteId}@example.com`})`;
  await sql`insert into project_members (project_id, user_id, role) values (${projectId}, ${siteId}, 'viewer')`;
};

type Route = Omit<ProtectedRoute, 'limit' | 'surface'>;
const onProject = { owned: true, ownedBy: 'projectId' } as const;
const personal = { owned: false, personal: true, writes: false } as const;

const projects: Route[] = [
  { method: 'GET', path: () => '/api/v1/projects', status: 200, ...personal },
  { method: 'POST', path: () => '/api/v1/projects', body: { name: 'New' }, status: 201, ...personal },
  { method: 'GET', path: project, status: 200, writes: false, ...onProject },
  { method: 'PATCH', path: project, body: { name: 'New' }, status: 200, writes: true, ...onProject },
  { method: 'DELETE', path: project, status: 204, writes: true, ownersOnly: true, ...onProject },
  { method: 'GET', path: (tenant) => `${project(tenant)}/members`, status: 200, writes: false, ...onProject },
  {
    method: 'POST',
    path: (tenant) => `${project(tenant)}/members`,
    body: { role: 'viewer' },
    status: 201,
    writes: true,
    ...onProject,
  },
  {
    method: 'PATCH',
    path: (tenant) => `${project(tenant)}/members/${tenant.siteId}`,
    prepare: otherOwner,
    body: { role: 'admin' },
    status: 204,
    writes: true,
    ...onProject,
  },
  {
    method: 'DELETE',
    path: (tenant) => `${project(tenant)}/members/${tenant.siteId}`,
    prepare: otherOwner,
    status: 204,
    writes: true,
    ...onProject,
  },
  {
    method: 'GET',
    path: (tenant) => `${project(tenant)}/invitations`,
    status: 200,
    writes: false,
    ...onProject,
  },
  {
    method: 'DELETE',
    path: (tenant) => `${project(tenant)}/invitations/${tenant.siteId}`,
    prepare: async (sql, { projectId, siteId, userId }) => {
      await sql`
        insert into project_invitations (id, project_id, role, hash, created_by, expires_at)
        values (${siteId}, ${projectId}, 'viewer', uuid_send(${siteId}::uuid), ${userId}, now() + interval '1 hour')`;
    },
    status: 204,
    writes: true,
    ...onProject,
  },
  // Viewers are refused, although the route changes nothing.
  {
    method: 'GET',
    path: (tenant) => `${project(tenant)}/audit-log`,
    status: 200,
    writes: true,
    ...onProject,
  },
];

const environments: Route[] = [
  {
    method: 'GET',
    path: (tenant) => `${project(tenant)}/environments`,
    prepare: twoEnvironments,
    status: 200,
    writes: false,
    ...onProject,
  },
  {
    method: 'POST',
    path: (tenant) => `${project(tenant)}/environments`,
    body: { name: 'new' },
    status: 201,
    writes: true,
    ...onProject,
  },
  {
    method: 'PATCH',
    path: environment,
    prepare: twoEnvironments,
    body: { name: 'new' },
    status: 200,
    writes: true,
    ...onProject,
  },
  {
    method: 'DELETE',
    path: environment,
    prepare: twoEnvironments,
    status: 204,
    writes: true,
    ...onProject,
  },
];

const people: Route[] = [
  { method: 'GET', path: () => '/api/v1/account/api-keys', status: 200, ...personal },
  { method: 'POST', path: () => '/api/v1/account/api-keys', body: { name: 'N' }, status: 201, ...personal },
  { method: 'GET', path: () => '/api/v1/account/query-tokens', status: 200, ...personal },
  {
    method: 'GET',
    path: ({ siteId }) => `/api/v1/account/view-grants?tab=${siteId}`,
    status: 200,
    ...personal,
  },
  {
    method: 'POST',
    path: () => '/api/v1/account/query-tokens',
    body: { name: 'N', scopes: ['sites:read'] },
    status: 201,
    ...personal,
  },
  { method: 'GET', path: () => '/api/v1/account/deletion', status: 200, ...personal },
  { method: 'GET', path: () => '/api/auth/session', status: 200, ...personal },
  { method: 'GET', path: () => '/api/auth/sessions', status: 200, ...personal },
  { method: 'DELETE', path: () => '/api/auth/sessions', status: 204, ...personal },
  {
    method: 'POST',
    path: () => '/api/auth/proof',
    prepare: (sql, { userId }) => addPassword(sql, userId),
    body: { proof: SAMPLE_PASSWORD },
    status: 204,
    ...personal,
  },
  {
    method: 'POST',
    path: () => '/api/auth/email/confirm-request',
    prepare: async (sql, { userId }) => {
      await sql`update users set email_verified = false where id = ${userId}`;
    },
    status: 202,
    ...personal,
  },
  {
    method: 'POST',
    path: () => '/api/auth/email/confirm',
    body: ({ email }) => ({ token: createConfirmation(email) }),
    status: 204,
    ...personal,
  },
];

const channels = (tenant: Tenant) => `${project(tenant)}/channels`;
const ofChannel = {
  prepare: async (sql: Sql, { projectId, siteId }: Tenant) => {
    await sql`
      insert into message_channels (project_id, id, kind, name, address, events, language, created_at, confirmed_at, secret_salt, counted_as)
      values (${projectId}, ${siteId}, 'webhook', 'Hook', 'https://hooks.example.com/', '{}', 'en', now(), now(), gen_random_uuid(), '')`;
  },
  ...onProject,
};
const channel = (tenant: Tenant) => `${channels(tenant)}/${tenant.siteId}`;
const channelRoutes: Route[] = [
  { method: 'GET', path: channels, status: 200, writes: false, ...ofChannel },
  {
    method: 'POST',
    path: channels,
    body: { kind: 'slack', url: 'https://hooks.example.org/chat' },
    status: 201,
    writes: true,
    ...onProject,
  },
  { method: 'GET', path: channel, status: 200, writes: false, ...ofChannel },
  { method: 'PATCH', path: channel, body: { paused: true }, status: 200, writes: true, ...ofChannel },
  { method: 'DELETE', path: channel, status: 204, writes: true, ...ofChannel },
  { method: 'POST', path: (tenant) => `${channel(tenant)}/secret`, status: 200, writes: true, ...ofChannel },
  { method: 'POST', path: (tenant) => `${channel(tenant)}/test`, status: 202, writes: true, ...ofChannel },
];

const deliveryRoutes: Route[] = [
  {
    method: 'GET',
    path: (tenant) => `${channel(tenant)}/deliveries`,
    status: 200,
    writes: false,
    ...ofChannel,
  },
  {
    method: 'POST',
    path: (tenant) => `${channel(tenant)}/deliveries/${tenant.siteId}/resend`,
    status: 202,
    writes: true,
    ...onProject,
    prepare: async (sql, tenant) => {
      const { projectId, siteId } = tenant;
      await ofChannel.prepare(sql, tenant);
      await sql`
        insert into outbox (project_id, id, channel_id, event, payload, dedupe, decided_at, due_at, state)
        values (${projectId}, ${siteId}, ${siteId}, 'channel.test', '{}', '', now(), null, 'sent')`;
      await sql`
        insert into message_deliveries (project_id, id, outbox_id, channel_id, at, attempt, status, duration_ms, answer)
        values (${projectId}, ${siteId}, ${siteId}, ${siteId}, now(), 1, 200, 8, '')`;
    },
  },
];

for (const route of [...projects, ...environments, ...channelRoutes, ...deliveryRoutes, ...people])
  protectedRoute(stack, { ...route, surface: 'session', limit: sessionLimit(route.method) });

const secretOf = ({ siteId }: Tenant) => siteId.replaceAll('-', '_').padEnd(43, 'A');
protectedRoute(stack, {
  method: 'POST',
  path: () => '/api/v1/account/invitations/preview',
  prepare: async (sql, tenant) => {
    await sql`
      insert into project_invitations (project_id, role, hash, created_by, expires_at)
      values (${tenant.projectId}, 'viewer', sha256(${secretOf(tenant)}::bytea), ${tenant.userId}, now() + interval '1 hour')`;
  },
  body: (tenant) => ({ secret: secretOf(tenant) }),
  status: 200,
  ...personal,
  surface: 'public',
  limit: { name: 'sign-in', quota: 20, windowSeconds: 60 },
});
