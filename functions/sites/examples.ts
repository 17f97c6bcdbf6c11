import type { Examples } from '../../lib/http/examples.ts';
import { NOBODYS, SAMPLE, unknownSite } from '../../lib/http/examples.ts';
import { alertExamples } from './alert-examples.ts';
import type { routes } from './contract.ts';
import { eventExamples } from './event-examples.ts';
import { importExamples } from './import-examples.ts';
import { mailReportExamples } from './mail-report-examples.ts';
import { segmentExamples } from './segment-examples.ts';
import { shareExamples } from './share-examples.ts';
import { visitorExamples } from './visitor-examples.ts';

const site = {
  id: SAMPLE.siteId,
  domain: 'example.pt',
  domains: ['shop.example'],
  aliases: [],
  name: 'Six Strings',
  jurisdiction: 'PT',
  projectId: SAMPLE.projectId,
  timezone: 'Europe/Lisbon',
  privacy: { jurisdiction: 'PT', consentMode: 'required', preConsentTier: 'counts', retentionMonths: 25 },
  snippet: `<script defer src="https://vendor.example/tracker.js" data-site="${SAMPLE.siteId}"></script>`,
  createdAt: '2026-11-21T09:00:00.000Z',
  updatedAt: '2026-11-21T09:00:00.000Z',
};

const summary = {
  visitors: 312,
  visits: 402,
  pageviews: 1177,
  visitorsChange: 12.5,
  live: 4,
  spark: [51, 62, 48, 70, 66, 58, 47],
};

const deletion = {
  siteId: SAMPLE.siteId,
  projectId: SAMPLE.projectId,
  domain: 'example.pt',
  name: 'Six Strings',
  visits: 1_250_000,
  deletedVisits: 480_000,
  deletedRows: 512_300,
  requestedAt: '2026-11-21T09:30:00.000Z',
  finishedAt: null,
};

export const examples: Examples<typeof routes> = {
  listSites: [
    { summary: 'All sites', status: 200, response: { data: [site] } },
    {
      summary: 'With the summary of a week',
      status: 200,
      query: { period: '7d' },
      response: { data: [{ ...site, summary }] },
    },
    { summary: 'No period', status: 400, query: { period: '1h' } },
    { summary: 'A parameter that does not exist', status: 400, query: { page: '2' } },
  ],
  createSite: [
    {
      summary: 'With the owner’s country',
      status: 201,
      body: {
        domain: 'example.pt',
        domains: ['shop.example'],
        name: 'Six Strings',
        jurisdiction: 'PT',
        timezone: 'Europe/Lisbon',
      },
      response: { data: site },
    },
    { summary: 'The least', status: 201, body: { domain: 'Bücher.example', name: 'Books' } },
    {
      summary: 'In a project',
      status: 201,
      body: { domain: 'shop.example', name: 'Shop', projectId: SAMPLE.projectId },
    },
    {
      summary: 'A URL is no domain',
      status: 400,
      body: { domain: 'https://example.pt/', name: 'Six Strings' },
    },
    {
      summary: 'An unassigned country',
      status: 400,
      body: { domain: 'example.uk', name: 'UK', jurisdiction: 'UK' },
    },
    {
      summary: 'Somebody else’s project',
      status: 404,
      body: { domain: 'example.pt', name: 'Six Strings', projectId: NOBODYS },
    },
  ],
  listDeletions: [
    { summary: 'All deletions', status: 200, response: { data: [deletion] } },
    { summary: 'A parameter that does not exist', status: 400, query: { page: '2' } },
  ],
  getSite: [{ summary: 'A site', status: 200, response: { data: site } }, unknownSite],
  changeSite: [
    { summary: 'A new name', status: 200, body: { name: 'Six Strings' }, response: { data: site } },
    {
      summary: 'Another domain, with the earlier one beside it',
      status: 200,
      body: { domain: 'example.com', domains: ['example.pt', 'shop.example'] },
      response: { data: { ...site, domain: 'example.com', domains: ['example.pt', 'shop.example'] } },
    },
    {
      summary: 'What a snippet of another tool calls it',
      status: 200,
      body: { aliases: ['six-strings.example'] },
      response: { data: { ...site, aliases: ['six-strings.example'] } },
    },
    {
      summary: 'Another time zone, in which its days are summed again',
      status: 200,
      body: { timezone: 'America/New_York' },
      response: {
        data: {
          ...{ ...site, timezone: 'America/New_York' },
          resumming: { timezone: 'America/New_York', done: 0, of: 90 },
        },
      },
    },
    { summary: 'A URL is no domain', status: 400, body: { domains: ['https://shop.example/'] } },
    { summary: 'Nothing to change', status: 400, body: {} },
    { summary: 'A field that can’t be changed', status: 400, body: { jurisdiction: 'PT' } },
    { summary: 'A time zone that nobody knows', status: 400, body: { timezone: 'Mars/Olympus' } },
    { ...unknownSite, body: { name: 'Six Strings' } },
  ],
  replacePrivacy: [
    { summary: 'Consent required of everybody', status: 200, body: site.privacy, response: { data: site } },
    {
      summary: 'Consent where the law wants it, for an owner elsewhere',
      status: 200,
      body: {
        jurisdiction: 'US',
        consentMode: 'regional',
        preConsentTier: 'sessions',
        retentionMonths: 12,
      },
    },
    {
      summary: 'Not for an owner in the EEA',
      status: 400,
      body: { ...site.privacy, consentMode: 'regional' },
      response: { error: 'REGIONAL_NOT_ALLOWED', message: 'Owners established in the EEA ...' },
    },
    { summary: 'A field is missing', status: 400, body: { jurisdiction: 'PT', consentMode: 'required' } },
  ],
  deleteSite: [{ summary: 'A site', status: 204 }, unknownSite],
  ...shareExamples,
  ...importExamples,
  ...segmentExamples,
  ...alertExamples,
  ...mailReportExamples,
  ...eventExamples,
  ...visitorExamples,
};
