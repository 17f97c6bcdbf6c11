import * as v from 'valibot';
import { type RouteContract, type RouteExample, SAMPLE, unknownSite } from '../../lib/http/contract.ts';
import {
  UnstoredMessage,
  VisitorEvent,
  VisitorExport,
  VisitorVisit,
} from '../../lib/visitor-data/schemas.ts';

const shared = {
  tag: 'Visitors',
  auth: 'apiToken',
  limited: true,
  errors: ['FORBIDDEN', 'NOT_FOUND'],
} as const;
const path = '/api/v1/sites/:siteId/visitors/:visitorId';
const WHO =
  'The id is the first part of `localStorage.vendorVisitor` in the visitor’s browser; only visitors with consent (tier 3) have one. ';
const AUDIT = 'Owners and admins only. It is kept in the audit log, with a hash of the id.';

const visitorId = '9a0c7be4-2f58-4d13-8c6e-51d7f3a2b860';
const params = { siteId: SAMPLE.siteId, visitorId };
const nobodysSite = { ...unknownSite, params: { ...params, ...unknownSite.params } };
const noId: RouteExample = {
  summary: 'What can be no id',
  status: 404,
  params: { ...params, visitorId: 'jane' },
};

const known = {
  profile: { device: 'mobile', browser: 'Firefox', os: 'Android', language: 'pt-PT' },
  place: { country: 'PT', region: 'PT-13', city: 'Porto' },
  origin: {
    hostname: null,
    source: 'Google',
    channel: 'Organic search',
    utmSource: null,
    utmMedium: null,
    utmCampaign: null,
    utmTerm: null,
    utmContent: null,
  },
};
const bought = { props: { plan: 'pro' }, revenue: { amount: '12.50', currency: 'EUR' } };
const sample: v.InferOutput<typeof VisitorExport> = {
  siteId: SAMPLE.siteId,
  visitorId,
  exportedAt: '2026-11-21T09:30:00.000Z',
  visits: [
    {
      startedAt: '2026-11-21T09:00:00.000Z',
      duration: 95.4,
      engagement: 61,
      continued: false,
      ...known,
      pages: [{ time: '2026-11-21T09:00:00.000Z', path: '/pricing' }],
      events: [{ time: '2026-11-21T09:01:35.400Z', name: 'purchase', data: bought }],
    },
  ],
  events: [
    {
      id: '0d5f0c1e-6f0b-4c1c-9d57-3d2a4b6c8e90',
      time: '2026-11-21T09:01:35.400Z',
      type: 'event',
      pageId: null,
      path: '/pricing',
      name: 'purchase',
      continued: false,
      screen: '412x915',
      engagement: null,
      scrollDepth: null,
      ...known,
      data: bought,
    },
  ],
  unstored: [],
};

/** What the OpenAPI document says of single visitors. */
export const visitorRoutes: RouteContract[] = [
  {
    ...shared,
    method: 'DELETE',
    path,
    operationId: 'deleteVisitor',
    summary: 'Delete all that is known of a visitor, and take it out of the reports',
    description:
      `${WHO}Reports are then as if the visitor had never come. 204 also for a visitor that nobody knows, so that asking again is ` +
      `safe. A browser that still holds the id begins anew with its next page view, unless consent is withdrawn there. ${AUDIT}`,
    responses: { 204: { description: 'Nothing is known of the visitor any more.' } },
    examples: [{ summary: 'A visitor', status: 204, params }, noId, nobodysSite],
  },
  {
    ...shared,
    method: 'GET',
    path: `${path}/export`,
    operationId: 'exportVisitor',
    summary: 'Everything known of a visitor',
    description: `${WHO}Empty lists: nothing is known. It is written while it is read; one that breaks off is no JSON. ${AUDIT}`,
    responses: { 200: { description: 'All of it.', schema: v.object({ data: VisitorExport }) } },
    examples: [
      { summary: 'A visitor', status: 200, params, response: { data: sample } },
      { summary: 'A parameter that does not exist', status: 400, params, query: { format: 'csv' } },
      noId,
      nobodysSite,
    ],
  },
];

export const visitorComponents = { VisitorExport, VisitorVisit, VisitorEvent, UnstoredMessage };
