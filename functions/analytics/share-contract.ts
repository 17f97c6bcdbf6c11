import * as v from 'valibot';
import { ReportMeta } from '../../lib/analytics/schemas.ts';
import { type RouteContract, type RouteExample, SAMPLE } from '../../lib/http/contract.ts';
import { SharedReport, SharedSite, Unlocking, UnlockToken } from '../../lib/shares/schemas.ts';
import { sampleMeta } from './sample-meta.ts';

const shared = { tag: 'Shares', auth: 'public', limited: true } as const;
const path = '/api/v1/shares/:secret';
const params = { secret: v.pipe(v.string(), v.length(43), v.regex(/^[A-Za-z0-9_-]+$/)) };
const here = { secret: SAMPLE.shareSecret };
const locked = { secret: SAMPLE.lockedSecret };
const unknownShare: RouteExample = {
  summary: 'Nobody’s link',
  status: 404,
  params: { secret: 'A'.repeat(43) },
};
const LOCKED =
  'A share with a password answers 401 until the request bears a token of `unlock`: `Authorization: Bearer ...`.';

const site: SharedSite = {
  name: 'For the board',
  site: { name: 'Six Strings', domain: 'example.pt', timezone: 'Europe/Lisbon' },
  reports: ['overview', 'timeseries', 'pages'],
  expiresAt: null,
};

const nested = { ...shared, errors: ['NOT_FOUND', 'UNAUTHORIZED'] } as const;
const ReachAnswer = v.object({ data: v.unknown(), meta: v.looseObject(ReportMeta.entries) });

/** What the OpenAPI document says of reading a share. */
export const shareRoutes: RouteContract[] = [
  {
    ...shared,
    method: 'GET',
    path,
    params,
    operationId: 'getShare',
    summary: 'What a share shows',
    description: LOCKED,
    responses: { 200: { description: 'The share.', schema: v.object({ data: SharedSite }) } },
    errors: ['NOT_FOUND', 'UNAUTHORIZED'],
    examples: [
      { summary: 'A link', status: 200, params: here, response: { data: site } },
      { summary: 'A locked one', status: 401, params: locked },
      unknownShare,
    ],
  },
  {
    ...shared,
    method: 'POST',
    path: `${path}/unlock`,
    params,
    operationId: 'unlockShare',
    summary: 'Open a share with its password',
    description:
      'For an hour, or until the share is revoked. 10 tries a minute by address, 600 an hour in all.',
    body: { schema: Unlocking },
    responses: { 200: { description: 'The token.', schema: v.object({ data: UnlockToken }) } },
    errors: ['NOT_FOUND', 'UNAUTHORIZED', 'CONFLICT'],
    examples: [
      {
        summary: 'The right password',
        status: 200,
        params: locked,
        body: { password: 'salt and brine' },
        response: {
          data: {
            token: 'agvT8JgBk2m4xWqT7sLh0ZcVdE1fRyUoPiNbMaKjHg3QwXtS',
            expiresAt: '2026-11-21T10:00:00.000Z',
          },
        },
      },
      { summary: 'A wrong one', status: 401, params: locked, body: { password: 'pepper' } },
      { summary: 'A share without a password', status: 409, params: here, body: { password: 'pepper' } },
      { ...unknownShare, body: { password: 'pepper' } },
    ],
  },
  {
    ...shared,
    method: 'GET',
    path: `${path}/analytics/:report`,
    params: { ...params, report: SharedReport },
    operationId: 'getSharedReport',
    summary: 'A report by a share',
    description: `Takes the parameters of the report of the same name, and answers as it does; goals and funnels as their lists do. ${LOCKED}`,
    responses: {
      200: {
        description: 'The report.',
        schema: v.object({ data: v.unknown(), meta: v.optional(v.looseObject(ReportMeta.entries)) }),
      },
    },
    errors: ['NOT_FOUND', 'UNAUTHORIZED', 'CONFLICT'],
    examples: [
      {
        summary: 'Top pages of 7 days',
        status: 200,
        params: { ...here, report: 'pages' },
        query: { period: '7d', limit: '20' },
        response: {
          data: [{ path: '/', visitors: 312, visits: 402, pageviews: 1177, reach: 430 }],
          meta: { ...sampleMeta, nextCursor: null },
        },
      },
      { summary: 'A locked share', status: 401, params: { ...locked, report: 'pages' } },
      { summary: 'A report that it does not show', status: 404, params: { ...here, report: 'traces' } },
      { ...unknownShare, params: { ...unknownShare.params, report: 'pages' } },
      {
        summary: 'A wrong parameter',
        status: 400,
        params: { ...here, report: 'pages' },
        query: { limit: '0' },
      },
    ],
  },
  {
    ...nested,
    method: 'GET',
    path: `${path}/analytics/goals/report`,
    params,
    operationId: 'getSharedGoalsReport',
    summary: 'How often goals were reached, by a share',
    description: `Takes the parameters of the goals’ report, and answers as it does. ${LOCKED}`,
    responses: { 200: { description: 'The report.', schema: ReachAnswer } },
    examples: [
      { summary: 'Of 7 days', status: 200, params: here, query: { period: '7d' } },
      { summary: 'A locked share', status: 401, params: locked },
      unknownShare,
    ],
  },
  {
    ...nested,
    method: 'GET',
    path: `${path}/analytics/funnels/:funnelId/report`,
    params,
    operationId: 'getSharedFunnelReport',
    summary: 'How far visits got in a funnel, by a share',
    description: `Takes the parameters of a funnel’s report, and answers as it does. ${LOCKED}`,
    responses: { 200: { description: 'The report.', schema: ReachAnswer } },
    examples: [
      { summary: 'Of 7 days', status: 200, params: here, query: { period: '7d' } },
      { summary: 'A locked share', status: 401, params: locked },
      unknownShare,
    ],
  },
];

export const shareComponents = { SharedSite };
