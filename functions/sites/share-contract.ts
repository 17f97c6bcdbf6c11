import * as v from 'valibot';
import type { Contracts } from '../../lib/http/contract.ts';
import { CreatedShare, CreateShare, OneShare, Share } from '../../lib/shares/schemas.ts';
import { OneSite } from '../../lib/sites/schemas.ts';
import { MANAGEMENT } from './limits.ts';

const shared = { tag: 'Shares', auth: 'member', limit: MANAGEMENT } as const;
const path = '/api/v1/sites/:siteId/shares';

/** What the OpenAPI document says of making and revoking shares. */
export const shareRoutes = {
  listShares: {
    ...shared,
    method: 'GET',
    path,
    input: OneSite,
    summary: 'A site’s shares, oldest first',
    description:
      'Those that have ended too, until they are revoked. Their links are shown only when they are made.',
    responses: { 200: { description: 'The shares.', schema: v.object({ data: v.array(Share) }) } },
    errors: ['NOT_FOUND'],
  },
  createShare: {
    ...shared,
    audit: 'share.create',
    method: 'POST',
    path,
    summary: 'Make a public, read-only link to a site’s reports',
    description: 'It shows website reports and nothing else. A site has at most 100.',
    input: CreateShare,
    responses: { 201: { description: 'The new share.', schema: v.object({ data: CreatedShare }) } },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  revokeShare: {
    ...shared,
    audit: 'share.revoke',
    method: 'DELETE',
    path: `${path}/:shareId`,
    input: OneShare,
    summary: 'Revoke a share',
    description: 'Its link shows nothing any more, within 60 seconds at the latest.',
    responses: { 204: { description: 'Revoked.' } },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
} as const satisfies Contracts;

export const shareComponents = { Share, CreatedShare };
