import * as v from 'valibot';
import { ReportMeta } from '../../lib/analytics/schemas.ts';
import { Id } from '../../lib/fields.ts';
import type { Contracts } from '../../lib/http/contract.ts';
import { SharedReport, SharedSite, Unlocking, UnlockToken } from '../../lib/shares/schemas.ts';
import { GUESSES, SHARED_QUERIES } from './limits.ts';

const path = '/api/v1/shares/:secret';
const Secret = v.pipe(v.string(), v.length(43), v.regex(/^[A-Za-z0-9_-]+$/));
const LOCKED =
  'A share with a password answers 401 until the request bears a token of `unlock`: `Authorization: Bearer ...`.';

const shared = {
  method: 'GET',
  tag: 'Shares',
  auth: 'public',
  limit: SHARED_QUERIES,
  errors: ['NOT_FOUND', 'UNAUTHORIZED'],
  params: { secret: Secret },
} as const;
const ReachAnswer = v.object({ data: v.unknown(), meta: v.looseObject(ReportMeta.entries) });

/** Reading a share. Its routes find the share that the path names before they read anything else of the request. */
export const shareRoutes = {
  getShare: {
    ...shared,
    path,
    summary: 'What a share shows',
    description: LOCKED,
    responses: { 200: { description: 'The share.', schema: v.object({ data: SharedSite }) } },
  },
  unlockShare: {
    ...shared,
    method: 'POST',
    path: `${path}/unlock`,
    summary: 'Open a share with its password',
    description:
      'For an hour, or until the share is revoked. 10 tries a minute by address, 600 an hour in all.',
    limit: GUESSES,
    body: { schema: Unlocking },
    responses: { 200: { description: 'The token.', schema: v.object({ data: UnlockToken }) } },
    errors: ['NOT_FOUND', 'UNAUTHORIZED', 'CONFLICT'],
  },
  getSharedReport: {
    ...shared,
    path: `${path}/analytics/:report`,
    params: { secret: Secret, report: SharedReport },
    summary: 'A report by a share',
    description: `Takes the parameters of the report of the same name, and answers as it does; goals and funnels as their lists do. ${LOCKED}`,
    responses: {
      200: {
        description: 'The report.',
        schema: v.object({ data: v.unknown(), meta: v.optional(v.looseObject(ReportMeta.entries)) }),
      },
    },
    errors: ['NOT_FOUND', 'UNAUTHORIZED', 'CONFLICT'],
  },
  getSharedGoalsReport: {
    ...shared,
    path: `${path}/analytics/goals/report`,
    summary: 'How often goals were reached, by a share',
    description: `Takes the parameters of the goals’ report, and answers as it does. ${LOCKED}`,
    responses: { 200: { description: 'The report.', schema: ReachAnswer } },
  },
  getSharedFunnelReport: {
    ...shared,
    path: `${path}/analytics/funnels/:funnelId/report`,
    params: { secret: Secret, funnelId: Id },
    summary: 'How far visits got in a funnel, by a share',
    description: `Takes the parameters of a funnel’s report, and answers as it does. ${LOCKED}`,
    responses: { 200: { description: 'The report.', schema: ReachAnswer } },
  },
} as const satisfies Contracts;

export const shareComponents = { SharedSite };
