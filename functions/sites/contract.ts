import * as v from 'valibot';
import { NOBODYS, type RouteContract, SAMPLE, unknownSite } from '../../lib/http/contract.ts';
import { NewSite, PrivacyPolicy, Site, SiteChange, SiteDeletion } from '../../lib/sites/schemas.ts';
import { eventComponents, eventRoutes } from './event-contract.ts';
import { shareComponents, shareRoutes } from './share-contract.ts';
import { visitorComponents, visitorRoutes } from './visitor-contract.ts';

const OneSite = v.object({ data: Site });
const ManySites = v.object({ data: v.array(Site) });

const shared = { tag: 'Sites', auth: 'apiToken', limited: true } as const;

const site = {
  id: SAMPLE.siteId,
  domain: 'example.pt',
  name: 'Six Strings',
  jurisdiction: 'PT',
  projectId: SAMPLE.projectId,
  timezone: 'Europe/Lisbon',
  privacy: { jurisdiction: 'PT', consentMode: 'required', preConsentTier: 'counts', retentionMonths: 25 },
  snippet: `<script defer src="https://vendor.example/tracker.js" data-site="${SAMPLE.siteId}"></script>`,
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:00.000Z',
};

const deletion = {
  siteId: SAMPLE.siteId,
  projectId: SAMPLE.projectId,
  domain: 'example.pt',
  name: 'Six Strings',
  visits: 1_250_000,
  deletedVisits: 480_000,
  deletedRows: 512_300,
  requestedAt: '2026-11-21T09:30:00.000Z',
  finishedAt: null,
};

/** What the OpenAPI document says of site management. */
export const routes: RouteContract[] = [
  {
    ...shared,
    method: 'GET',
    path: '/api/v1/sites',
    operationId: 'listSites',
    summary: 'All sites of all projects that the caller is a member of, oldest first',
    responses: { 200: { description: 'The sites.', schema: ManySites } },
    errors: [],
    examples: [
      { summary: 'All sites', status: 200, response: { data: [site] } },
      { summary: 'A parameter that does not exist', status: 400, query: { page: '2' } },
    ],
  },
  {
    ...shared,
    method: 'POST',
    path: '/api/v1/sites',
    operationId: 'createSite',
    summary: 'Make a site',
    description:
      'With `jurisdiction` the site starts with consent required everywhere, anonymous counts before consent and 25 ' +
      'months of retention; without, it collects as before privacy settings until a policy is saved. Without ' +
      '`projectId` it goes to the oldest project that the caller owns.',
    body: { schema: NewSite },
    responses: { 201: { description: 'The new site.', schema: OneSite } },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'CONFLICT'],
    examples: [
      {
        summary: 'With the owner’s country',
        status: 201,
        body: { domain: 'example.pt', name: 'Six Strings', jurisdiction: 'PT', timezone: 'Europe/Lisbon' },
        response: { data: site },
      },
      { summary: 'The least', status: 201, body: { domain: 'Bücher.example', name: 'Books' } },
      {
        summary: 'In a project',
        status: 201,
        body: { domain: 'shop.example', name: 'Shop', projectId: SAMPLE.projectId },
      },
      {
        summary: 'A URL is no domain',
        status: 400,
        body: { domain: 'https://example.pt/', name: 'Six Strings' },
      },
      {
        summary: 'An unassigned country',
        status: 400,
        body: { domain: 'example.uk', name: 'UK', jurisdiction: 'UK' },
      },
      {
        summary: 'Somebody else’s project',
        status: 404,
        body: { domain: 'example.pt', name: 'Six Strings', projectId: NOBODYS },
      },
    ],
  },
  {
    ...shared,
    method: 'GET',
    path: '/api/v1/sites/deletions',
    operationId: 'listDeletions',
    summary: 'Deleted sites of all projects that the caller is a member of, newest first',
    description:
      'How far the deletion of what was stored of them came. They are listed until 7 days after it was finished.',
    responses: {
      200: { description: 'The deletions.', schema: v.object({ data: v.array(SiteDeletion) }) },
    },
    errors: [],
    examples: [
      { summary: 'All deletions', status: 200, response: { data: [deletion] } },
      { summary: 'A parameter that does not exist', status: 400, query: { page: '2' } },
    ],
  },
  {
    ...shared,
    method: 'GET',
    path: '/api/v1/sites/:siteId',
    operationId: 'getSite',
    summary: 'One site',
    responses: { 200: { description: 'The site.', schema: OneSite } },
    errors: ['NOT_FOUND'],
    examples: [{ summary: 'A site', status: 200, response: { data: site } }, unknownSite],
  },
  {
    ...shared,
    method: 'PATCH',
    path: '/api/v1/sites/:siteId',
    operationId: 'renameSite',
    summary: 'Change the name of a site',
    body: { schema: SiteChange },
    responses: { 200: { description: 'The site as it is now.', schema: OneSite } },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    examples: [
      { summary: 'A new name', status: 200, body: { name: 'Six Strings' }, response: { data: site } },
      { summary: 'A field that can’t be changed', status: 400, body: { domain: 'example.com' } },
      { ...unknownSite, body: { name: 'Six Strings' } },
    ],
  },
  {
    ...shared,
    method: 'PUT',
    path: '/api/v1/sites/:siteId/privacy',
    operationId: 'replacePrivacy',
    summary: 'Replace the whole privacy policy of a site',
    description: 'Takes effect for new events within 5 minutes.',
    body: { schema: PrivacyPolicy },
    responses: { 200: { description: 'The site as it is now.', schema: OneSite } },
    errors: ['FORBIDDEN', 'NOT_FOUND', 'REGIONAL_NOT_ALLOWED'],
    examples: [
      { summary: 'Consent required of everybody', status: 200, body: site.privacy, response: { data: site } },
      {
        summary: 'Consent where the law wants it, for an owner elsewhere',
        status: 200,
        body: {
          jurisdiction: 'US',
          consentMode: 'regional',
          preConsentTier: 'sessions',
          retentionMonths: 12,
        },
      },
      {
        summary: 'Not for an owner in the EEA',
        status: 400,
        body: { ...site.privacy, consentMode: 'regional' },
        response: { error: 'REGIONAL_NOT_ALLOWED', message: 'Owners established in the EEA ...' },
      },
      { summary: 'A field is missing', status: 400, body: { jurisdiction: 'PT', consentMode: 'required' } },
    ],
  },
  {
    ...shared,
    method: 'DELETE',
    path: '/api/v1/sites/:siteId',
    operationId: 'deleteSite',
    summary: 'Delete a site with its events, visits and rollups',
    description:
      'Nobody finds the site any more, and what the tracker still sends is refused. Of a large site some rows are deleted after ' +
      'the answer; `listDeletions` tells how many are. Owners and admins only. It is kept in the audit log.',
    responses: { 204: { description: 'Deleted.' } },
    errors: ['FORBIDDEN', 'NOT_FOUND'],
    examples: [{ summary: 'A site', status: 204 }, unknownSite],
  },
  ...shareRoutes,
  ...eventRoutes,
  ...visitorRoutes,
];

export const components = {
  NewSite,
  PrivacyPolicy,
  Site,
  SiteChange,
  SiteDeletion,
  ...shareComponents,
  ...eventComponents,
  ...visitorComponents,
};
