import type { Examples } from '../../lib/http/examples.ts';
import { NOBODYS, SAMPLE, unknownSite } from '../../lib/http/examples.ts';
import type { segmentRoutes } from './segment-contract.ts';

const asked = { name: 'Mobile in Iberia', filters: { country: 'PT|ES', device: 'mobile' }, shared: true };
const segment = { id: SAMPLE.segmentId, ...asked, createdAt: '2026-11-21T09:00:00.000Z' };

export const segmentExamples: Examples<typeof segmentRoutes> = {
  listSegments: [{ summary: 'All segments', status: 200, response: { data: [segment] } }, unknownSite],
  createSegment: [
    { summary: 'For the project', status: 201, body: asked, response: { data: segment } },
    {
      summary: 'One’s own',
      status: 201,
      body: { name: 'Consented, not by a search', filters: { privacy_tier: 3, source: '!Google|Bing' } },
    },
    { summary: 'A taken name', status: 409, body: { ...asked, name: 'Iberia' } },
    { summary: 'No filter', status: 400, body: { name: 'Everybody', filters: {} } },
    { summary: 'An unknown filter', status: 400, body: { name: 'Shoes', filters: { shoe_size: '42' } } },
    { summary: 'An empty filter', status: 400, body: { name: 'Nobody', filters: { country: '' } } },
    { ...unknownSite, body: asked },
  ],
  changeSegment: [
    {
      summary: 'Other filters',
      status: 200,
      body: { filters: { country: 'PT' } },
      response: { data: segment },
    },
    { summary: 'For oneself', status: 200, body: { shared: false } },
    { summary: 'Nothing', status: 400, body: {} },
    { summary: 'Nobody’s segment', status: 404, params: { segmentId: NOBODYS }, body: { name: 'New' } },
    { ...unknownSite, body: { name: 'New' } },
  ],
  deleteSegment: [
    { summary: 'A segment', status: 204 },
    { summary: 'Nobody’s segment', status: 404, params: { segmentId: NOBODYS } },
    unknownSite,
  ],
};
