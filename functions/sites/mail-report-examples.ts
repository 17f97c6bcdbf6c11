import { type Examples, NOBODYS, SAMPLE, unknownSite } from '../../lib/http/examples.ts';
import type { mailReportRoutes } from './mail-report-contract.ts';

const asked = { every: 'week', weekday: 1, recipients: ['ada@example.pt'], language: 'pt-PT' };
const report = {
  id: SAMPLE.mailReportId,
  ...{ every: 'week', weekday: 1, language: 'pt-PT', segment: null },
  recipients: [{ address: 'ada@example.pt', channelId: SAMPLE.channelId, state: 'waiting' }],
  createdAt: '2026-11-21T09:00:00.000Z',
  nextAt: '2026-11-23T08:00:00.000Z',
  lastAt: null,
};
const unknownReport = {
  summary: 'Nobody’s report',
  status: 404,
  params: { mailReportId: NOBODYS },
} as const;

export const mailReportExamples: Examples<typeof mailReportRoutes> = {
  listMailReports: [{ summary: 'All reports', status: 200, response: { data: [report] } }, unknownSite],
  createMailReport: [
    { summary: 'Each Monday', status: 201, body: asked, response: { data: report } },
    { summary: 'No recipient', status: 400, body: { every: 'day', recipients: [] } },
    { ...unknownSite, body: asked },
  ],
  changeMailReport: [
    {
      summary: 'Each month',
      status: 200,
      body: { every: 'month' },
      response: { data: { ...report, every: 'month' } },
    },
    { summary: 'Nothing', status: 400, body: {} },
    { ...unknownReport, body: { every: 'day' } },
  ],
  deleteMailReport: [{ summary: 'A report', status: 204 }, unknownReport],
};
