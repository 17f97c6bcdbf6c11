/**
 * Ids of another project, in the path or in the body, give no access: neither to its data through an own project, nor to own data through
 * that project.
 */
import { expect, test } from 'vitest';
import { addAccount } from '../../security/account-samples.ts';
import { addIngestKey } from '../../security/session.ts';
import { createProject, createTenant, type Tenant } from '../../security/tenant.ts';
import { useStack } from '../../services/use-stack.ts';
import { newBrowser } from './browser.ts';

const stack = useStack();

interface Ids extends Tenant {
  environmentId: string;
  ingestKeyId: string;
  memberId: string;
  invitationId: string;
  apiKeyId: string;
  queryTokenId: string;
}

async function createIds(): Promise<Ids> {
  const { sql } = stack();
  const tenant = await createTenant(sql);
  const { userId: memberId, ...rest } = await addAccount(sql, tenant);
  await sql`insert into environments (project_id, name) values (${tenant.projectId}, 'staging')`;
  return { ...tenant, ...rest, memberId };
}

const environments = (project: Ids) => `/api/v1/projects/${project.projectId}/environments`;
const keys = (project: Ids, environment: Ids) =>
  `/api/v1/telemetry/projects/${project.projectId}/environments/${environment.environmentId}/ingest-keys`;

type Request = [method: string, path: (own: Ids, other: Ids) => string, body?: (other: Ids) => object];

const requests: Request[] = [
  ['PATCH', (own, other) => `${environments(own)}/${other.environmentId}`, () => ({ name: 'new' })],
  ['DELETE', (own, other) => `${environments(own)}/${other.environmentId}`],
  ['GET', (own, other) => keys(own, other)],
  ['POST', (own, other) => keys(own, other), () => ({ name: 'new' })],
  ['DELETE', (own, other) => `${keys(own, own)}/${other.ingestKeyId}`],
  ['DELETE', (own, other) => `${keys(own, other)}/${other.ingestKeyId}`],
  ['DELETE', (own, other) => `${keys(other, own)}/${own.ingestKeyId}`],
  [
    'PATCH',
    (own, other) => `/api/v1/projects/${own.projectId}/members/${other.memberId}`,
    () => ({ role: 'owner' }),
  ],
  ['DELETE', (own, other) => `/api/v1/projects/${own.projectId}/members/${other.memberId}`],
  ['DELETE', (own, other) => `/api/v1/projects/${own.projectId}/invitations/${other.invitationId}`],
  ['DELETE', (_, other) => `/api/v1/account/api-keys/${other.apiKeyId}`],
  ['DELETE', (_, other) => `/api/v1/account/query-tokens/${other.queryTokenId}`],
  ['POST', () => '/api/v1/account/api-keys', (other) => ({ name: 'new', projectIds: [other.projectId] })],
  ['POST', () => '/api/v1/account/api-keys', (other) => ({ name: 'new', siteIds: [other.siteId] })],
  [
    'POST',
    () => '/api/v1/account/query-tokens',
    (other) => ({ name: 'new', scopes: ['sites:read'], projectIds: [other.projectId] }),
  ],
  [
    'POST',
    () => '/api/v1/account/query-tokens',
    (other) => ({ name: 'new', scopes: ['sites:read'], siteIds: [other.siteId] }),
  ],
];

const rowsOf = async ({ projectId, userId }: Ids) => {
  const { sql } = stack();
  const [row] = await sql`
    select
      (select json_agg(e order by id) from environments e where project_id = ${projectId})::text as environments,
      (select json_agg(k order by id) from ingest_keys k
        where environment_id in (select id from environments where project_id = ${projectId}))::text as keys,
      (select json_agg(m order by user_id) from project_members m where project_id = ${projectId})::text as members,
      (select json_agg(i order by id) from project_invitations i where project_id = ${projectId})::text as invitations,
      (select json_agg(t order by id) from api_tokens t where user_id = ${userId})::text as tokens,
      (select json_agg(q order by id) from query_tokens q where user_id = ${userId})::text as query_tokens`;
  return row;
};

test.each(requests)('%s %s is 404 and changes nothing', async (method, path, body) => {
  const [own, other] = await Promise.all([createIds(), createIds()]);
  const before = await Promise.all([rowsOf(own), rowsOf(other)]);
  const response = await newBrowser(stack(), own.cookie).send(method, path(own, other), body?.(other));
  expect([response.status, (await response.json()).error]).toEqual([404, 'NOT_FOUND']);
  expect(await Promise.all([rowsOf(own), rowsOf(other)])).toEqual(before);
});

test.each([
  ['API key', 'api-keys', {}],
  ['query token', 'query-tokens', { scopes: ['sites:read'] }],
])('%s for a site takes the site’s project, when projects are named too', async (_, path, fields) => {
  const { sql } = stack();
  const own = await createIds();
  const second = await createProject(sql, own, 'owner');
  await addIngestKey(sql, second);
  const ask = async (projectIds: string[]) => {
    const body = { name: 'new', ...fields, projectIds, siteIds: [own.siteId] };
    return (await newBrowser(stack(), own.cookie).send('POST', `/api/v1/account/${path}`, body)).status;
  };
  expect(await ask([second])).toBe(404);
  expect(await ask([second, own.projectId])).toBe(201);
});
