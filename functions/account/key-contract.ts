import * as v from 'valibot';
import {
  ApiKey,
  CreatedApiKey,
  CreatedQueryToken,
  NewApiKey,
  NewQueryToken,
  QueryToken,
} from '../../lib/accounts/schemas.ts';
import { NOBODYS, type RouteContract, SAMPLE } from '../../lib/http/contract.ts';
import { HeldInvitation, InvitationPreview, Project } from '../../lib/projects/schemas.ts';

const shared = { tag: 'Account', auth: 'session', limited: true, errors: [] } as const;
const path = '/api/v1/account';

const key = {
  id: SAMPLE.apiKeyId,
  name: 'Reports',
  createdAt: '2026-11-21T09:00:00.000Z',
  lastUsedAt: null,
};
const token = {
  ...key,
  id: SAMPLE.queryTokenId,
  scopes: ['sites:read', 'analytics:read'],
  projectIds: [SAMPLE.projectId],
  siteIds: null,
  expiresAt: '2098-12-31T23:00:00.000Z',
};

/** What the OpenAPI document says of a person's own keys. */
export const keyRoutes: RouteContract[] = [
  {
    ...shared,
    method: 'GET',
    path: `${path}/api-keys`,
    operationId: 'listApiKeys',
    summary: 'The person’s API keys, oldest first',
    responses: { 200: { description: 'The keys.', schema: v.object({ data: v.array(ApiKey) }) } },
    examples: [{ summary: 'All keys', status: 200, response: { data: [key] } }],
  },
  {
    ...shared,
    method: 'POST',
    path: `${path}/api-keys`,
    operationId: 'createApiKey',
    summary: 'Make an API key, for sites and reports',
    description: 'It may what the person may. At most 100 a person.',
    body: { schema: NewApiKey },
    responses: { 201: { description: 'The new key.', schema: v.object({ data: CreatedApiKey }) } },
    errors: ['CONFLICT'],
    examples: [
      {
        summary: 'A key',
        status: 201,
        body: { name: 'Reports' },
        response: { data: { ...key, token: 'vapi_...' } },
      },
      { summary: 'Without a name', status: 400, body: { name: ' ' } },
    ],
  },
  {
    ...shared,
    method: 'DELETE',
    path: `${path}/api-keys/:apiKeyId`,
    operationId: 'revokeApiKey',
    summary: 'Revoke an API key',
    description: 'Refused everywhere within 60 seconds.',
    responses: { 204: { description: 'Revoked.' } },
    errors: ['NOT_FOUND'],
    examples: [
      { summary: 'A key', status: 204 },
      { summary: 'Nobody’s key', status: 404, params: { apiKeyId: NOBODYS } },
    ],
  },
  {
    ...shared,
    method: 'GET',
    path: `${path}/query-tokens`,
    operationId: 'listQueryTokens',
    summary: 'The person’s query tokens, oldest first',
    responses: { 200: { description: 'The tokens.', schema: v.object({ data: v.array(QueryToken) }) } },
    examples: [{ summary: 'All tokens', status: 200, response: { data: [token] } }],
  },
  {
    ...shared,
    method: 'POST',
    path: `${path}/query-tokens`,
    operationId: 'createQueryToken',
    summary: 'Make a query token, for agents',
    description: 'It opens what its scopes name, and never more than the person may. At most 100 a person.',
    body: { schema: NewQueryToken },
    responses: { 201: { description: 'The new token.', schema: v.object({ data: CreatedQueryToken }) } },
    errors: ['CONFLICT', 'NOT_FOUND'],
    examples: [
      {
        summary: 'For the reports of a project',
        status: 201,
        body: {
          name: 'Reports',
          scopes: token.scopes,
          projectIds: token.projectIds,
          expiresAt: token.expiresAt,
        },
        response: { data: { ...token, token: 'vqry_...' } },
      },
      {
        summary: 'For one site',
        status: 201,
        body: { name: 'Site', scopes: ['analytics:read'], siteIds: [SAMPLE.siteId] },
      },
      { summary: 'A scope that does not exist', status: 400, body: { name: 'All', scopes: ['all'] } },
      {
        summary: 'Somebody else’s project',
        status: 404,
        body: { name: 'Theirs', scopes: ['sites:read'], projectIds: [NOBODYS] },
      },
    ],
  },
  {
    ...shared,
    method: 'DELETE',
    path: `${path}/query-tokens/:queryTokenId`,
    operationId: 'revokeQueryToken',
    summary: 'Revoke a query token',
    description: 'Refused everywhere within 60 seconds.',
    responses: { 204: { description: 'Revoked.' } },
    errors: ['NOT_FOUND'],
    examples: [
      { summary: 'A token', status: 204 },
      { summary: 'Nobody’s token', status: 404, params: { queryTokenId: NOBODYS } },
    ],
  },
  {
    ...shared,
    method: 'POST',
    path: `${path}/invitations`,
    operationId: 'joinProject',
    summary: 'Join a project by an invitation',
    description: 'The secret is what its link has after the `#`. It works once.',
    body: { schema: HeldInvitation },
    responses: { 201: { description: 'The project.', schema: v.object({ data: Project }) } },
    errors: ['CONFLICT', 'NOT_FOUND'],
    examples: [
      {
        summary: 'An open invitation',
        status: 201,
        body: { secret: SAMPLE.invitationSecret },
        response: {
          data: { id: SAMPLE.projectId, name: 'Theirs', role: 'viewer', createdAt: key.createdAt },
        },
      },
      {
        summary: 'One that is used or over',
        status: 404,
        body: { secret: 'Aa3Vw8QyN1tRb6LxUo4HsDfJc7MgPa2EiXe9Bq5KvYI' },
      },
    ],
  },
  {
    ...shared,
    method: 'POST',
    path: `${path}/invitations/preview`,
    operationId: 'previewInvitation',
    auth: 'public',
    summary: 'See what an invitation is to, before accepting it',
    description:
      'For whoever holds the link, signed in or not. It uses nothing up. An invitation that was used, taken back or is over answers ' +
      'like one that never was.',
    body: { schema: HeldInvitation },
    responses: {
      200: {
        description: 'The project, the role in it, and when the invitation ends.',
        schema: v.object({ data: InvitationPreview }),
      },
    },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    examples: [
      {
        summary: 'An open invitation',
        status: 200,
        body: { secret: SAMPLE.invitationSecret },
        response: { data: { projectName: 'Theirs', role: 'viewer', expiresAt: '2026-11-28T09:00:00.000Z' } },
      },
      {
        summary: 'One that is used or over',
        status: 404,
        body: { secret: 'Aa3Vw8QyN1tRb6LxUo4HsDfJc7MgPa2EiXe9Bq5KvYI' },
      },
      { summary: 'No secret', status: 400, body: { secret: 'short' } },
    ],
  },
];

export const keyComponents = {
  ApiKey,
  CreatedApiKey,
  NewQueryToken,
  QueryToken,
  CreatedQueryToken,
  InvitationPreview,
};
