import type { Examples } from '../../lib/http/examples.ts';
import { NOBODYS, SAMPLE } from '../../lib/http/examples.ts';
import type { routes } from './contract.ts';

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

export const examples: Examples<typeof routes> = {
  getPolicyAnswer: [
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
  track: [
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
};
