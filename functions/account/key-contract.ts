import * as v from 'valibot';
import {
  ApiKey,
  CreateApiKey,
  CreatedApiKey,
  CreatedQueryToken,
  CreateQueryToken,
  OneApiKey,
  OneQueryToken,
  QueryToken,
} from '../../lib/accounts/schemas.ts';
import type { Contracts } from '../../lib/http/contract.ts';

const shared = { tag: 'Account', auth: 'session', limit: null } as const;
const path = '/api/v1/account';

/** A person's own keys. */
export const keyRoutes = {
  listApiKeys: {
    ...shared,
    method: 'GET',
    path: `${path}/api-keys`,
    summary: 'The person’s API keys, oldest first',
    responses: { 200: { description: 'The keys.', schema: v.object({ data: v.array(ApiKey) }) } },
  },
  createApiKey: {
    ...shared,
    audit: 'api-key.create',
    method: 'POST',
    path: `${path}/api-keys`,
    summary: 'Create an API key, for sites and reports',
    description:
      'The key never grants more rights than the person has at the moment. `access`, `projectIds`, `siteIds` and `expiresAt` grant ' +
      'less. A person has at most 100.',
    input: CreateApiKey,
    responses: { 201: { description: 'The new key.', schema: v.object({ data: CreatedApiKey }) } },
    errors: ['CONFLICT', 'NOT_FOUND'],
  },
  revokeApiKey: {
    ...shared,
    audit: 'api-key.revoke',
    method: 'DELETE',
    path: `${path}/api-keys/:apiKeyId`,
    input: OneApiKey,
    summary: 'Revoke an API key',
    description: 'The key stops working within 60 seconds.',
    responses: { 204: { description: 'Revoked.' } },
    errors: ['NOT_FOUND'],
  },
  listQueryTokens: {
    ...shared,
    method: 'GET',
    path: `${path}/query-tokens`,
    summary: 'The person’s query tokens, oldest first',
    responses: { 200: { description: 'The tokens.', schema: v.object({ data: v.array(QueryToken) }) } },
  },
  createQueryToken: {
    ...shared,
    audit: 'query-token.create',
    method: 'POST',
    path: `${path}/query-tokens`,
    summary: 'Create a query token, for agents',
    description:
      'The token grants its scopes, and never more rights than the person has. A person has at most 100.',
    input: CreateQueryToken,
    responses: { 201: { description: 'The new token.', schema: v.object({ data: CreatedQueryToken }) } },
    errors: ['CONFLICT', 'NOT_FOUND'],
  },
  revokeQueryToken: {
    ...shared,
    audit: 'query-token.revoke',
    method: 'DELETE',
    path: `${path}/query-tokens/:queryTokenId`,
    input: OneQueryToken,
    summary: 'Revoke a query token',
    description: 'The token stops working within 60 seconds.',
    responses: { 204: { description: 'Revoked.' } },
    errors: ['NOT_FOUND'],
  },
} as const satisfies Contracts;

export const keyComponents = { ApiKey, CreatedApiKey, QueryToken, CreatedQueryToken };
