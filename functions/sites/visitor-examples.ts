import type * as v from 'valibot';
import type { Examples } from '../../lib/http/examples.ts';
import { type RouteExample, SAMPLE, unknownSite } from '../../lib/http/examples.ts';
import type { VisitorExport } from '../../lib/visitor-data/schemas.ts';
import { byField, VISIT_DIMENSIONS } from '../../lib/visits/dimensions.ts';
import type { visitorRoutes } from './visitor-contract.ts';

const visitorId = '9a0c7be4-2f58-4d13-8c6e-51d7f3a2b860';
const params = { siteId: SAMPLE.siteId, visitorId };
const nobodysSite = { ...unknownSite, params: { ...params, ...unknownSite.params } };
const noId: RouteExample = {
  summary: 'What can be no id',
  status: 404,
  params: { ...params, visitorId: 'jane' },
};

const sampleOf = (name: string) => VISIT_DIMENSIONS.find((of) => of.name === name)?.sample ?? null;
const known = {
  profile: byField('profile', sampleOf),
  place: byField('place', sampleOf),
  origin: byField('origin', sampleOf),
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
      consentPage: null,
      ...known,
      pages: [{ time: '2026-11-21T09:00:00.000Z', path: '/pricing' }],
      pageProps: [{ time: '2026-11-21T09:00:00.000Z', props: { author: 'Ana' } }],
      events: [{ time: '2026-11-21T09:01:35.400Z', name: 'purchase', data: bought }],
      vitals: [
        {
          ...{ time: '2026-11-21T09:00:01.800Z', path: '/pricing' },
          ...{ lcp: 1893.2, inp: null, cls: 0.0131, fcp: 1104.6, ttfb: 312.5 },
        },
      ],
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
  associations: [
    {
      time: '2026-11-21T09:01:36.100Z',
      pageId: '3c1a9e52-84cc-4d4b-8f5e-6f6f1c0e7d11',
      pageViewedAt: '2026-11-21T09:00:00.000Z',
      traceId: '5b8efff798038103d269b633813fc60c',
      origin: 'https://api.example.com',
      status: 201,
      sent: false,
    },
  ],
  unstored: [],
};

export const visitorExamples: Examples<typeof visitorRoutes> = {
  deleteVisitor: [{ summary: 'A visitor', status: 204, params }, noId, nobodysSite],
  exportVisitor: [
    { summary: 'A visitor', status: 200, params, response: { data: sample } },
    { summary: 'A parameter that does not exist', status: 400, params, query: { format: 'csv' } },
    noId,
    nobodysSite,
  ],
};
