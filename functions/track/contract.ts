import type { ErrorCode } from '../../lib/errors.ts';
import { NOBODYS, type RouteContract, SAMPLE } from '../../lib/http/contract.ts';
import { PolicyAnswer, PolicyQuery, TrackAnswer, TrackRequest } from './schemas.ts';

const shared = { tag: 'Tracker', auth: 'public' } as const;
const both: readonly ErrorCode[] = ['NOT_FOUND'];

const pageview = {
  id: '0191d3a5-7c1e-4f00-8a55-3f6d1c9b7e10',
  type: 'pageview',
  pageId: '0191d3a5-7c1e-4f00-8a55-3f6d1c9b7e11',
  url: 'https://example.pt/strings?utm_source=newsletter',
  referrer: 'https://www.google.com/',
};
const purchase = {
  id: '0191d3a5-7c1e-4f00-8a55-3f6d1c9b7e12',
  type: 'event',
  pageId: pageview.pageId,
  name: 'purchase',
  url: 'https://example.pt/thanks',
  props: { set: 'nickel', count: 2 },
  revenue: { amount: '12.34', currency: 'EUR' },
};

/** What the OpenAPI document says of the tracker's endpoints. */
export const routes: RouteContract[] = [
  {
    ...shared,
    method: 'GET',
    path: '/api/v1/policy',
    operationId: 'getPolicyAnswer',
    summary: 'What the server would store of this visitor',
    description:
      'Asked by the tracker before it collects. `Sec-GPC: 1` and `DNT: 1` are obeyed; the country comes from the edge. ' +
      'A saved policy is in effect within 5 minutes.',
    query: PolicyQuery,
    responses: { 200: { description: 'The answer, without an envelope.', schema: PolicyAnswer } },
    errors: both,
    limited: true,
    examples: [
      {
        summary: 'Consent was given',
        status: 200,
        query: { site: SAMPLE.siteId, consent: 'granted' },
        response: { maxTier: 3 },
      },
      {
        summary: 'Global Privacy Control',
        status: 200,
        query: { site: SAMPLE.siteId },
        headers: { 'Sec-GPC': '1' },
        response: { maxTier: 0, stop: 'gpc' },
      },
      { summary: 'An unknown site', status: 404, query: { site: NOBODYS } },
      { summary: 'No site', status: 400 },
    ],
  },
  {
    ...shared,
    method: 'POST',
    path: '/api/v1/track',
    operationId: 'track',
    summary: 'Send what happened on a page',
    description:
      'The server decides the tier and drops what is beyond it. Dropped events are counted for the owner by reason: robots, ' +
      'rented servers, spam by referrer, pages of other hosts, events beyond the tier. An `id` that comes again counts once. While the store of the day’s ' +
      'salts is out of reach, anonymous sessions are stored as anonymous counts. Errors bear `policy` too once the site is known.',
    body: { schema: TrackRequest, contentTypes: ['application/json', 'text/plain'] },
    responses: {
      202: { description: 'Durable; it shows in reports within seconds.', schema: TrackAnswer },
      204: { description: 'Global Privacy Control: nothing was read or stored.' },
    },
    errors: both,
    limited: true,
    examples: [
      {
        summary: 'A page view and a purchase',
        status: 202,
        body: { site: SAMPLE.siteId, consent: 'granted', events: [pageview, purchase] },
      },
      {
        summary: 'Global Privacy Control',
        status: 204,
        headers: { 'Sec-GPC': '1' },
        body: { site: SAMPLE.siteId, events: [pageview] },
      },
      { summary: 'No events', status: 400, body: { site: SAMPLE.siteId, events: [] } },
      { summary: 'An unknown site', status: 404, body: { site: NOBODYS, events: [pageview] } },
    ],
  },
];
