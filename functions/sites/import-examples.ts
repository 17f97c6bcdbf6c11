import type { Examples } from '../../lib/http/examples.ts';
import { NOBODYS, SAMPLE, unknownSite } from '../../lib/http/examples.ts';
import type { importRoutes } from './import-contract.ts';

const begun = {
  id: SAMPLE.importId,
  source: 'plausible',
  dimensions: ['page'],
  state: 'receiving',
  from: '2026-03-28',
  to: '2026-03-29',
  days: 2,
  rows: 3,
  pieces: 2,
  createdAt: '2026-11-21T09:00:00.000Z',
  finishedAt: null,
};
const finished = { ...begun, state: 'done', finishedAt: '2026-11-21T09:00:04.000Z' };
const begin = {
  source: 'plausible',
  dimensions: ['page', 'country'],
  contentHash: '0123456789abcdef'.repeat(4),
};
const unknownImport = { summary: 'Nobody’s import', status: 404, params: { importId: NOBODYS } };
const totals = { number: 3, days: [['2026-03-30', 6, 7, 15]] };

export const importExamples: Examples<typeof importRoutes> = {
  listImports: [
    {
      summary: 'All imports',
      status: 200,
      response: {
        data: {
          domain: 'example.pt',
          domains: [],
          timezone: 'Europe/Lisbon',
          from: '2024-10-21',
          before: '2026-11-20',
          imports: [finished],
        },
      },
    },
    unknownSite,
  ],
  getImport: [
    {
      summary: 'An import under way',
      status: 200,
      response: { data: { ...begun, dates: ['2026-03-28', '2026-03-29'] } },
    },
    unknownImport,
  ],
  beginImport: [
    {
      summary: 'Pages and countries that Plausible counted',
      status: 200,
      body: begin,
      response: {
        data: { ...begun, dimensions: begin.dimensions, from: null, to: null, days: 0, rows: 0, pieces: 0 },
      },
    },
    { summary: 'Another tool', status: 400, body: { ...begin, source: 'matomo' } },
    { summary: 'Operating systems', status: 400, body: { ...begin, dimensions: ['os'] } },
    { ...unknownSite, body: begin },
  ],
  addImportPiece: [
    { summary: 'Totals of a day: visitors, visits, page views', status: 204, body: totals },
    {
      summary: 'Pages of a day',
      status: 204,
      body: { number: 3, dimension: 'page', values: [['2026-03-28', '/pricing', 2, 2, 4]] },
    },
    { summary: 'A piece that came before', status: 204, body: { ...totals, number: 1 } },
    { summary: 'A piece too early', status: 409, body: { ...totals, number: 9 } },
    {
      summary: 'Values of a day without totals',
      status: 409,
      body: { number: 3, dimension: 'page', values: [['2026-03-30', '/pricing', 2, 2, 4]] },
    },
    {
      summary: 'A page that is no path',
      status: 400,
      body: { number: 3, dimension: 'page', values: [['2026-03-28', 'pricing', 2, 2, 4]] },
    },
    { summary: 'Neither days nor values', status: 400, body: { number: 3 } },
    { ...unknownImport, body: totals },
  ],
  finishImport: [
    { summary: 'All pieces are in', status: 200, body: { pieces: 2 }, response: { data: finished } },
    { summary: 'Pieces are missing', status: 409, body: { pieces: 3 } },
    { ...unknownImport, body: { pieces: 2 } },
  ],
  undoImport: [{ summary: 'An import', status: 204 }, unknownImport, unknownSite],
};
