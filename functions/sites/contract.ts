import * as v from 'valibot';
import { MAX_SUMMARIES } from '../../lib/analytics/series/site-summaries.ts';
import type { Contracts } from '../../lib/http/contract.ts';
import {
  ChangeSite,
  CreateSite,
  ListSites,
  OneSite,
  PrivacyPolicy,
  ReplacePrivacy,
  Site,
  SiteDeletion,
  SiteSummary,
} from '../../lib/sites/schemas.ts';
import { alertComponents, alertRoutes } from './alert-contract.ts';
import { eventRoutes } from './event-contract.ts';
import { importComponents, importRoutes } from './import-contract.ts';
import { MANAGEMENT } from './limits.ts';
import { mailReportComponents, mailReportRoutes } from './mail-report-contract.ts';
import { segmentComponents, segmentRoutes } from './segment-contract.ts';
import { shareComponents, shareRoutes } from './share-contract.ts';
import { visitorComponents, visitorRoutes } from './visitor-contract.ts';

const SiteAnswer = v.object({ data: Site });

const shared = { tag: 'Sites', auth: 'member', limit: MANAGEMENT } as const;

/** Sites and what belongs to them, without reports. */
export const routes = {
  listSites: {
    ...shared,
    method: 'GET',
    path: '/api/v1/sites',
    summary: 'All sites of all projects that the caller is a member of, oldest first',
    description: `With \`period\` the first ${MAX_SUMMARIES} sites have a \`summary\`: how each did in the period, in its own time zone.`,
    input: ListSites,
    responses: { 200: { description: 'The sites.', schema: v.object({ data: v.array(Site) }) } },
  },
  createSite: {
    ...shared,
    audit: 'site.create',
    method: 'POST',
    path: '/api/v1/sites',
    summary: 'Create a site',
    description:
      'With `jurisdiction` the site starts with consent required everywhere, anonymous counts before consent, and 25 months ' +
      'of retention. Without it the site has no policy until one is saved. Without `projectId` the site belongs to the oldest ' +
      'project that the caller owns.',
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
      'The progress of each deletion. A deleted site is listed until 7 days after its deletion is finished.',
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
  changeSite: {
    ...shared,
    audit: 'site.change',
    method: 'PATCH',
    path: '/api/v1/sites/:siteId',
    summary: 'Change a site’s name, domains and aliases',
    description:
      'What isn’t given stays. Pages of `domain`, of `domains` and of hosts below them are the site’s; others are refused as ' +
      '`hostname`. New domains and aliases take effect for new events within 5 minutes. Visits keep the host that they came to. Owners and ' +
      'admins only.',
    input: ChangeSite,
    responses: { 200: { description: 'The changed site.', schema: SiteAnswer } },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
  },
  replacePrivacy: {
    ...shared,
    audit: 'privacy.replace',
    method: 'PUT',
    path: '/api/v1/sites/:siteId/privacy',
    summary: 'Replace a site’s whole privacy policy',
    description: 'Takes effect for new events within 5 minutes.',
    input: ReplacePrivacy,
    responses: { 200: { description: 'The changed site.', schema: SiteAnswer } },
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
      'Nobody can find the site any more, and events that the tracker still sends are refused. Some rows of a large site are ' +
      'deleted after the answer; `listDeletions` shows the progress. Owners and admins only. The audit log records it.',
    responses: { 204: { description: 'Deleted.' } },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
  },
  ...shareRoutes,
  ...importRoutes,
  ...segmentRoutes,
  ...alertRoutes,
  ...mailReportRoutes,
  ...eventRoutes,
  ...visitorRoutes,
} as const satisfies Contracts;

export const components = {
  PrivacyPolicy,
  Site,
  SiteSummary,
  SiteDeletion,
  ...shareComponents,
  ...importComponents,
  ...segmentComponents,
  ...alertComponents,
  ...mailReportComponents,
  ...visitorComponents,
};
