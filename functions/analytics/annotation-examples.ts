import type { Examples } from '../../lib/http/examples.ts';
import { NOBODYS, SAMPLE, unknownSite } from '../../lib/http/examples.ts';
import type { annotationRoutes } from './annotation-contract.ts';

const note = { date: '2026-11-21', text: 'New prices' };
const annotation = { id: SAMPLE.annotationId, ...note, createdAt: '2026-11-21T09:00:00.000Z' };

export const annotationExamples: Examples<typeof annotationRoutes> = {
  listAnnotations: [
    { summary: 'Of 30 days', status: 200, response: { data: [annotation] } },
    { summary: 'Of a month', status: 200, query: { from: '2026-11-01', to: '2026-11-30' } },
    { summary: 'Half a range', status: 400, query: { from: '2026-11-01' } },
    { summary: 'A filter, which only reports have', status: 400, query: { filter_country: 'PT' } },
    unknownSite,
  ],
  createAnnotation: [
    { summary: 'A note', status: 201, body: note, response: { data: annotation } },
    { summary: 'A day that no calendar has', status: 400, body: { ...note, date: '2026-02-29' } },
    { summary: 'Nothing noted', status: 400, body: { ...note, text: ' ' } },
    { ...unknownSite, body: note },
  ],
  deleteAnnotation: [
    { summary: 'A note', status: 204 },
    { summary: 'Nobody’s note', status: 404, params: { annotationId: NOBODYS } },
    unknownSite,
  ],
};
