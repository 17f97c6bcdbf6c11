import * as v from 'valibot';
import type { Contracts } from '../../lib/http/contract.ts';
import { CollectedTier, PrivacyReport, ReportPrivacy } from '../../lib/privacy-report/schemas.ts';
import { QUERIES } from './limits.ts';

export const privacyRoutes = {
  getPrivacyReport: {
    method: 'GET',
    path: '/api/v1/sites/:siteId/analytics/privacy-report',
    tag: 'Privacy',
    summary: 'What the site collects at which tier, for how long, and which of it is personal data',
    description:
      'Follows from the site’s policy, or from its absence, in words for a privacy notice. It describes the software and is ' +
      'no legal advice: add your legal basis and the names of your processors.',
    auth: 'member',
    input: ReportPrivacy,
    limit: QUERIES,
    responses: { 200: { description: 'The report.', schema: v.object({ data: PrivacyReport }) } },
    errors: ['NOT_FOUND'],
  },
} as const satisfies Contracts;

export const privacyComponents = { PrivacyReport, CollectedTier };
