import * as v from 'valibot';
import { type RouteContract, unknownSite } from '../../lib/http/contract.ts';
import { CollectedTier, PrivacyReport } from '../../lib/privacy-report/schemas.ts';
import { PrivacyQuery } from './query.ts';

const sample: PrivacyReport = {
  language: 'en',
  policy: { jurisdiction: 'PT', consentMode: 'required', preConsentTier: 'counts', retentionMonths: 25 },
  tiers: [
    {
      tier: 1,
      name: 'Anonymous counts',
      applies: ['You have not agreed, or have refused.'],
      stored: [{ what: 'Country', purpose: 'To see where it is read', kept: '25 months' }],
      browserStorage: [],
      personalData: 'no',
      why: 'Nothing that is stored tells one visitor from another, so that it cannot be traced to a person.',
    },
  ],
  text: '## Statistics about the use of this website\n\nWe count how example.pt is used ...',
};

/** What the OpenAPI document says of the privacy report. */
export const privacyRoutes: RouteContract[] = [
  {
    method: 'GET',
    path: '/api/v1/sites/:siteId/analytics/privacy-report',
    operationId: 'getPrivacyReport',
    tag: 'Privacy',
    summary: 'What the site collects at which tier, for how long, and what of it is personal data',
    description:
      'By the site’s policy or its absence, in words for a privacy notice. It says what the software does, and is no legal advice: put in your ' +
      'legal basis and the names of your processors.',
    auth: 'apiToken',
    limited: true,
    query: PrivacyQuery,
    responses: { 200: { description: 'The report.', schema: v.object({ data: PrivacyReport }) } },
    errors: ['NOT_FOUND'],
    examples: [
      { summary: 'In English', status: 200, response: { data: sample } },
      { summary: 'In Spanish', status: 200, query: { language: 'es' } },
      { summary: 'In European Portuguese', status: 200, query: { language: 'pt-PT' } },
      { summary: 'A language that there is not', status: 400, query: { language: 'pt' } },
      unknownSite,
    ],
  },
];

export const privacyComponents = { PrivacyReport, CollectedTier };
