import * as v from 'valibot';
import {
  AllowView,
  ApiKey,
  CreateApiKey,
  CreatedApiKey,
  CreatedQueryToken,
  CreateQueryToken,
  OfTab,
  OneApiKey,
  OneQueryToken,
  OneViewGrant,
  QueryToken,
  ViewGrant,
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
  allowView: {
    ...shared,
    audit: 'view-grant.create',
    method: 'POST',
    path: `${path}/view-grants`,
    summary: 'Allow a query token to change what one tab shows',
    description:
      'For 1 to 15 minutes, in a tab of this session. It ends with the session, with the token, when the tab is closed, and at once by `DELETE`. ' +
      'The token needs the scope `view:write`. It may only open views of the dashboard, by `show_view` of `/mcp`.',
    input: AllowView,
    responses: { 201: { description: 'The grant.', schema: v.object({ data: ViewGrant }) } },
    errors: ['CONFLICT', 'NOT_FOUND'],
  },
  listViewGrants: {
    ...shared,
    method: 'GET',
    path: `${path}/view-grants`,
    summary: 'The grants of a tab, and the views that were asked for',
    description: 'The tab asks every two seconds. One that hasn’t asked for ten seconds counts as closed.',
    input: OfTab,
    responses: { 200: { description: 'The grants.', schema: v.object({ data: v.array(ViewGrant) }) } },
  },
  endView: {
    ...shared,
    audit: 'view-grant.end',
    method: 'DELETE',
    path: `${path}/view-grants/:viewGrantId`,
    summary: 'End a grant at once',
    input: OneViewGrant,
    responses: { 204: { description: 'Ended.' } },
    errors: ['NOT_FOUND'],
  },
} as const satisfies Contracts;

export const keyComponents = { ApiKey, CreatedApiKey, QueryToken, CreatedQueryToken, ViewGrant };
