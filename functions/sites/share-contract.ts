import * as v from 'valibot';
import type { Contracts } from '../../lib/http/contract.ts';
import { CreatedShare, CreateShare, OneShare, Share } from '../../lib/shares/schemas.ts';
import { OneSite } from '../../lib/sites/schemas.ts';
import { MANAGEMENT } from './limits.ts';

const shared = { tag: 'Shares', auth: 'member', limit: MANAGEMENT } as const;
const path = '/api/v1/sites/:siteId/shares';

/** Routes that create, list and revoke shares, for the OpenAPI document. */
export const shareRoutes = {
  listShares: {
    ...shared,
    method: 'GET',
    path,
    input: OneSite,
    summary: 'A site’s shares, oldest first',
    description:
      'Includes shares that have ended, until they are revoked. A link is shown only once, when it is created.',
    responses: { 200: { description: 'The shares.', schema: v.object({ data: v.array(Share) }) } },
    errors: ['NOT_FOUND'],
  },
  createShare: {
    ...shared,
    audit: 'share.create',
    method: 'POST',
    path,
    summary: 'Create a public, read-only link to a site’s reports',
    description: 'The link shows website reports and nothing else. A site has at most 100 shares.',
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
    description: 'The link stops working within 60 seconds.',
    responses: { 204: { description: 'Revoked.' } },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
} as const satisfies Contracts;

export const shareComponents = { Share, CreatedShare };
