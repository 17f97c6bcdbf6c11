import * as v from 'valibot';
import { ReportMeta } from '../../lib/analytics/schemas.ts';
import { Id } from '../../lib/fields.ts';
import type { Contracts } from '../../lib/http/contract.ts';
import { SharedReport, SharedSite, Unlocking, UnlockToken } from '../../lib/shares/schemas.ts';
import { GUESSES, SHARED_QUERIES } from './limits.ts';

const path = '/api/v1/shares/:secret';
const Secret = v.pipe(v.string(), v.length(43), v.regex(/^[A-Za-z0-9_-]+$/));
const LOCKED =
  'A share with a password answers 401 unless the request has a token of `unlock`: `Authorization: Bearer ...`.';

const shared = {
  method: 'GET',
  tag: 'Shares',
  auth: 'public',
  limit: SHARED_QUERIES,
  errors: ['NOT_FOUND', 'UNAUTHORIZED'],
  params: { secret: Secret },
} as const;
const ReachAnswer = v.object({ data: v.unknown(), meta: v.looseObject(ReportMeta.entries) });

/** Reading a share. The routes look up the share in the path before they read any other part of the request. */
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
      'The token works for an hour, or until the share is revoked. Limits: 10 tries a minute by address, 600 an hour in all.',
    limit: GUESSES,
    body: { schema: Unlocking },
    responses: { 200: { description: 'The token.', schema: v.object({ data: UnlockToken }) } },
    errors: ['NOT_FOUND', 'UNAUTHORIZED', 'CONFLICT'],
  },
  getSharedReport: {
    ...shared,
    path: `${path}/analytics/:report`,
    params: { secret: Secret, report: SharedReport },
    summary: 'A report of a share',
    description: `Has the parameters and the answer of the report with the same name. Goals and funnels answer like their lists. ${LOCKED}`,
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
    summary: 'The goals’ report of a share',
    description: `Has the parameters and the answer of the goals’ report. ${LOCKED}`,
    responses: { 200: { description: 'The report.', schema: ReachAnswer } },
  },
  getSharedFunnelReport: {
    ...shared,
    path: `${path}/analytics/funnels/:funnelId/report`,
    params: { secret: Secret, funnelId: Id },
    summary: 'A funnel’s report of a share',
    description: `Has the parameters and the answer of a funnel’s report. ${LOCKED}`,
    responses: { 200: { description: 'The report.', schema: ReachAnswer } },
  },
} as const satisfies Contracts;

export const shareComponents = { SharedSite };
