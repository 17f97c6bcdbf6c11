import * as v from 'valibot';
import type { Contracts } from '../../lib/http/contract.ts';
import {
  CreateSite,
  OneSite,
  PrivacyPolicy,
  RenameSite,
  ReplacePrivacy,
  Site,
  SiteDeletion,
} from '../../lib/sites/schemas.ts';
import { eventRoutes } from './event-contract.ts';
import { MANAGEMENT } from './limits.ts';
import { shareComponents, shareRoutes } from './share-contract.ts';
import { visitorComponents, visitorRoutes } from './visitor-contract.ts';

const SiteAnswer = v.object({ data: Site });

const shared = { tag: 'Sites', auth: 'member', limit: MANAGEMENT } as const;

/** Sites, and what belongs to them beside their reports. */
export const routes = {
  listSites: {
    ...shared,
    method: 'GET',
    path: '/api/v1/sites',
    summary: 'All sites of all projects that the caller is a member of, oldest first',
    responses: { 200: { description: 'The sites.', schema: v.object({ data: v.array(Site) }) } },
  },
  createSite: {
    ...shared,
    audit: 'site.create',
    method: 'POST',
    path: '/api/v1/sites',
    summary: 'Make a site',
    description:
      'With `jurisdiction` the site starts with consent required everywhere, anonymous counts before consent and 25 ' +
      'months of retention; without, it collects as before privacy settings until a policy is saved. Without ' +
      '`projectId` it goes to the oldest project that the caller owns.',
    input: CreateSite,
    responses: { 201: { description: 'The new site.', schema: SiteAnswer } },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  listDeletions: {
    ...shared,
    method: 'GET',
    path: '/api/v1/sites/deletions',
    summary: 'Deleted sites of all projects that the caller is a member of, newest first',
    description:
      'How far the deletion of what was stored of them came. They are listed until 7 days after it was finished.',
    responses: {
      200: { description: 'The deletions.', schema: v.object({ data: v.array(SiteDeletion) }) },
    },
  },
  getSite: {
    ...shared,
    method: 'GET',
    path: '/api/v1/sites/:siteId',
    summary: 'One site',
    input: OneSite,
    responses: { 200: { description: 'The site.', schema: SiteAnswer } },
    errors: ['NOT_FOUND'],
  },
  renameSite: {
    ...shared,
    audit: 'site.rename',
    method: 'PATCH',
    path: '/api/v1/sites/:siteId',
    summary: 'Change the name of a site',
    input: RenameSite,
    responses: { 200: { description: 'The site as it is now.', schema: SiteAnswer } },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
  replacePrivacy: {
    ...shared,
    audit: 'privacy.replace',
    method: 'PUT',
    path: '/api/v1/sites/:siteId/privacy',
    summary: 'Replace the whole privacy policy of a site',
    description: 'Takes effect for new events within 5 minutes.',
    input: ReplacePrivacy,
    responses: { 200: { description: 'The site as it is now.', schema: SiteAnswer } },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'REGIONAL_NOT_ALLOWED'],
  },
  deleteSite: {
    ...shared,
    audit: 'site.delete',
    method: 'DELETE',
    path: '/api/v1/sites/:siteId',
    input: OneSite,
    summary: 'Delete a site with its events, visits and rollups',
    description:
      'Nobody finds the site any more, and what the tracker still sends is refused. Of a large site some rows are deleted after ' +
      'the answer; `listDeletions` tells how many are. Owners and admins only. It is kept in the audit log.',
    responses: { 204: { description: 'Deleted.' } },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
  ...shareRoutes,
  ...eventRoutes,
  ...visitorRoutes,
} as const satisfies Contracts;

export const components = {
  PrivacyPolicy,
  Site,
  SiteDeletion,
  ...shareComponents,
  ...visitorComponents,
};
