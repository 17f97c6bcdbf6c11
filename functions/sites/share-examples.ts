import type { Examples } from '../../lib/http/examples.ts';
import { NOBODYS, SAMPLE, unknownSite } from '../../lib/http/examples.ts';
import type { shareRoutes } from './share-contract.ts';

const share = {
  id: SAMPLE.shareId,
  name: 'For the board',
  reports: ['overview', 'timeseries', 'pages'],
  hasPassword: true,
  embedOrigins: ['https://intranet.example'],
  expiresAt: '2098-12-31T23:00:00.000Z',
  createdAt: '2026-11-21T09:00:00.000Z',
  createdBy: { userId: SAMPLE.userId, name: 'Ada', isMember: true },
  url: `https://vendor.example/api/v1/shares/${SAMPLE.shareSecret}`,
  pageUrl: `https://vendor.example/share/${SAMPLE.shareSecret}`,
};
const { name, reports, embedOrigins, expiresAt } = share;
const asked = { name, reports, embedOrigins, expiresAt };

export const shareExamples: Examples<typeof shareRoutes> = {
  listShares: [{ summary: 'All shares', status: 200, response: { data: [share] } }, unknownSite],
  createShare: [
    {
      summary: 'Three reports, with a password, for a while',
      status: 201,
      body: { ...asked, password: 'salt and brine' },
      response: { data: share },
    },
    { summary: 'All website reports, until it is revoked', status: 201, body: { name: 'Open numbers' } },
    {
      summary: 'An end that has passed',
      status: 400,
      body: { name: 'Late', expiresAt: '2026-01-01T00:00:00.000Z' },
    },
    { summary: 'No website report', status: 400, body: { name: 'Traces', reports: ['traces'] } },
    { summary: 'A password that is too short', status: 400, body: { name: 'Short', password: 'salt' } },
    { ...unknownSite, body: { name: 'Open numbers' } },
  ],
  revokeShare: [
    { summary: 'A share', status: 204 },
    { summary: 'Nobody’s share', status: 404, params: { shareId: NOBODYS } },
    unknownSite,
  ],
};
