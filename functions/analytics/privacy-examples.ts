import type { Examples } from '../../lib/http/examples.ts';
import { unknownSite } from '../../lib/http/examples.ts';
import type { PrivacyReport } from '../../lib/privacy-report/schemas.ts';
import type { privacyRoutes } from './privacy-contract.ts';

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

export const privacyExamples: Examples<typeof privacyRoutes> = {
  getPrivacyReport: [
    { summary: 'In English', status: 200, response: { data: sample } },
    { summary: 'In Spanish', status: 200, query: { language: 'es' } },
    { summary: 'In European Portuguese', status: 200, query: { language: 'pt-PT' } },
    { summary: 'A language that there is not', status: 400, query: { language: 'pt' } },
    unknownSite,
  ],
};
