import * as v from 'valibot';
import { ReportMeta, SharedMeta } from '../../lib/analytics/answers/schemas.ts';
import { Id } from '../../lib/fields.ts';
import type { Contracts } from '../../lib/http/contract.ts';
import { ErrorBody } from '../../lib/http/error-envelope.ts';
import { SharedReport, SharedSite, Unlocking, UnlockToken } from '../../lib/shares/schemas.ts';
import { GUESSES, SHARED_QUERIES } from './limits.ts';

const path = '/api/v1/shares/:secret';
const Secret = v.pipe(v.string(), v.length(43), v.regex(/^[A-Za-z0-9_-]+$/));
const LOCKED =
  'A share with a password answers 401 unless the request has a token of `unlock`: `Authorization: Bearer ...`.';

const FILTERS =
  'Takes only filters whose values the share lists: `filter_page` needs `pages`. An answer about fewer than 5 visits or people is withheld: `data` is null and `meta.suppressed` true.';

const shared = {
  method: 'GET',
  tag: 'Shares',
  auth: 'public',
  limit: SHARED_QUERIES,
  errors: ['NOT_FOUND', 'UNAUTHORIZED'],
  params: { secret: Secret },
} as const;
const SharedEntry = v.union([
  v.object({
    data: v.unknown(),
    meta: v.optional(v.looseObject(v.partial(SharedMeta).entries)),
  }),
  ErrorBody,
]);
const ReachAnswer = v.object({ data: v.unknown(), meta: v.looseObject(SharedMeta.entries) });

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
      'The token works for an hour, or until the share is revoked. Limits: 10 wrong passwords in 10 minutes by address, 600 an hour in all. Whoever sends a token that still opens the share gets a new one, also while others guess.',
    limit: GUESSES,
    body: { schema: Unlocking },
    responses: { 200: { description: 'The token.', schema: v.object({ data: UnlockToken }) } },
    errors: ['NOT_FOUND', 'UNAUTHORIZED', 'CONFLICT'],
  },
  // Before `:report`, which would take its path.
  getSharedReports: {
    ...shared,
    path: `${path}/analytics/reports`,
    params: { secret: Secret },
    summary: 'Several reports of a share at once',
    description: `Has the parameters and the answer of a batch. A report that the share doesn’t show has the error of its own route. ${FILTERS} ${LOCKED}`,
    responses: {
      200: {
        description: 'The reports.',
        schema: v.object({ data: v.record(v.string(), SharedEntry), meta: ReportMeta }),
      },
    },
  },
  getSharedReport: {
    ...shared,
    path: `${path}/analytics/:report`,
    params: { secret: Secret, report: SharedReport },
    summary: 'A report of a share',
    description: `Has the parameters and the answer of the report with the same name. Goals and funnels answer like their lists. ${FILTERS} ${LOCKED}`,
    responses: {
      200: {
        description: 'The report.',
        schema: v.object({ data: v.unknown(), meta: v.optional(v.looseObject(SharedMeta.entries)) }),
      },
    },
    errors: ['NOT_FOUND', 'UNAUTHORIZED', 'CONFLICT'],
  },
  getSharedGoalsReport: {
    ...shared,
    path: `${path}/analytics/goals/report`,
    summary: 'The goals’ report of a share',
    description: `Has the parameters and the answer of the goals’ report. ${FILTERS} ${LOCKED}`,
    responses: { 200: { description: 'The report.', schema: ReachAnswer } },
  },
  getSharedFunnelReport: {
    ...shared,
    path: `${path}/analytics/funnels/:funnelId/report`,
    params: { secret: Secret, funnelId: Id },
    summary: 'A funnel’s report of a share',
    description: `Has the parameters and the answer of a funnel’s report. ${FILTERS} ${LOCKED}`,
    responses: { 200: { description: 'The report.', schema: ReachAnswer } },
  },
} as const satisfies Contracts;

export const shareComponents = { SharedSite };
