import { type Examples, NOBODYS, SAMPLE } from '../../lib/http/examples.ts';
import type { keyRoutes } from './key-contract.ts';

const key = {
  id: SAMPLE.apiKeyId,
  name: 'Reports',
  access: 'write',
  projectIds: null,
  siteIds: null,
  expiresAt: null,
  createdAt: '2026-11-21T09:00:00.000Z',
  lastUsedAt: null,
};
const { access: _, ...common } = key;
const token = {
  ...common,
  id: SAMPLE.queryTokenId,
  scopes: ['sites:read', 'analytics:read'],
  projectIds: [SAMPLE.projectId],
  siteIds: null,
  expiresAt: '2098-12-31T23:00:00.000Z',
};

const tab = 'c8f1a5d2-3b67-4e90-8a14-6d2b9e7f0c35';
const grant = {
  id: SAMPLE.viewGrantId,
  queryTokenId: SAMPLE.queryTokenId,
  name: 'Reports',
  expiresAt: '2026-11-21T09:15:00.000Z',
  view: null,
};

export const keyExamples: Examples<typeof keyRoutes> = {
  listApiKeys: [{ summary: 'All keys', status: 200, response: { data: [key] } }],
  createApiKey: [
    {
      summary: 'A key',
      status: 201,
      body: { name: 'Reports' },
      response: { data: { ...key, token: 'vapi_...' } },
    },
    {
      summary: 'A key that reads one site, for a year',
      status: 201,
      body: {
        name: 'Site',
        access: 'read',
        siteIds: [SAMPLE.siteId],
        expiresAt: token.expiresAt,
      },
      response: {
        data: {
          ...{ ...key, name: 'Site', access: 'read', siteIds: [SAMPLE.siteId], expiresAt: token.expiresAt },
          token: 'vapi_...',
        },
      },
    },
    { summary: 'Without a name', status: 400, body: { name: ' ' } },
    {
      summary: 'Somebody else’s project',
      status: 404,
      body: { name: 'Theirs', projectIds: [NOBODYS] },
    },
  ],
  revokeApiKey: [
    { summary: 'A key', status: 204 },
    { summary: 'Nobody’s key', status: 404, params: { apiKeyId: NOBODYS } },
  ],
  listQueryTokens: [{ summary: 'All tokens', status: 200, response: { data: [token] } }],
  createQueryToken: [
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
  revokeQueryToken: [
    { summary: 'A token', status: 204 },
    { summary: 'Nobody’s token', status: 404, params: { queryTokenId: NOBODYS } },
  ],
  allowView: [
    {
      summary: 'For a quarter of an hour',
      status: 201,
      body: { queryTokenId: SAMPLE.queryTokenId, tab, minutes: 15 },
      response: { data: grant },
    },
    {
      summary: 'For too long',
      status: 400,
      body: { queryTokenId: SAMPLE.queryTokenId, tab, minutes: 60 },
    },
    { summary: 'Nobody’s token', status: 404, body: { queryTokenId: NOBODYS, tab, minutes: 5 } },
  ],
  listViewGrants: [
    {
      summary: 'A tab whose token asked for a view',
      status: 200,
      query: { tab },
      response: {
        data: [
          {
            ...grant,
            view: {
              path: `/sites/${SAMPLE.siteId}?period=7d`,
              sentAt: '2026-11-21T09:01:00.000Z',
              isShown: false,
            },
          },
        ],
      },
    },
  ],
  endView: [
    { summary: 'A grant', status: 204 },
    { summary: 'Nobody’s grant', status: 404, params: { viewGrantId: NOBODYS } },
  ],
};
