import * as v from 'valibot';
import { NOBODYS, type RouteContract, SAMPLE, unknownSite } from '../../lib/http/contract.ts';
import { CreatedShare, NewShare, Share } from '../../lib/shares/schemas.ts';

const shared = { tag: 'Shares', auth: 'apiToken', limited: true } as const;
const path = '/api/v1/sites/:siteId/shares';

const share = {
  id: SAMPLE.shareId,
  name: 'For the board',
  reports: ['overview', 'timeseries', 'pages'],
  hasPassword: true,
  expiresAt: '2098-12-31T23:00:00.000Z',
  createdAt: '2026-11-21T09:00:00.000Z',
};
const { id: _, hasPassword: __, createdAt: ___, ...asked } = share;

/** What the OpenAPI document says of making and revoking shares. */
export const shareRoutes: RouteContract[] = [
  {
    ...shared,
    method: 'GET',
    path,
    operationId: 'listShares',
    summary: 'A site’s shares, oldest first',
    description:
      'Those that have ended too, until they are revoked. Their links are shown only when they are made.',
    responses: { 200: { description: 'The shares.', schema: v.object({ data: v.array(Share) }) } },
    errors: ['NOT_FOUND'],
    examples: [{ summary: 'All shares', status: 200, response: { data: [share] } }, unknownSite],
  },
  {
    ...shared,
    method: 'POST',
    path,
    operationId: 'createShare',
    summary: 'Make a public, read-only link to a site’s reports',
    description: 'It shows website reports and nothing else. A site has at most 100.',
    body: { schema: NewShare },
    responses: { 201: { description: 'The new share.', schema: v.object({ data: CreatedShare }) } },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
    examples: [
      {
        summary: 'Three reports, with a password, for a while',
        status: 201,
        body: { ...asked, password: 'salt and brine' },
        response: {
          data: { ...share, url: `https://vendor.example/api/v1/shares/${SAMPLE.shareSecret}` },
        },
      },
      { summary: 'All website reports, until it is revoked', status: 201, body: { name: 'Open numbers' } },
      {
        summary: 'An end that has passed',
        status: 400,
        body: { name: 'Late', expiresAt: '2026-01-01T00:00:00.000Z' },
      },
      { summary: 'No website report', status: 400, body: { name: 'Traces', reports: ['traces'] } },
      { summary: 'A password that is too short', status: 400, body: { name: 'Short', password: 'salt' } },
      { ...unknownSite, body: { name: 'Open numbers' } },
    ],
  },
  {
    ...shared,
    method: 'DELETE',
    path: `${path}/:shareId`,
    operationId: 'revokeShare',
    summary: 'Revoke a share',
    description: 'Its link shows nothing any more, within 60 seconds at the latest.',
    responses: { 204: { description: 'Revoked.' } },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    examples: [
      { summary: 'A share', status: 204 },
      { summary: 'Nobody’s share', status: 404, params: { shareId: NOBODYS } },
      unknownSite,
    ],
  },
];

export const shareComponents = { NewShare, Share, CreatedShare };
