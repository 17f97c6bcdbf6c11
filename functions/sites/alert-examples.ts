import type { Examples } from '../../lib/http/examples.ts';
import { NOBODYS, SAMPLE, unknownSite } from '../../lib/http/examples.ts';
import type { alertRoutes } from './alert-contract.ts';

const asked = {
  name: 'Many visits from Reddit',
  metric: 'visits',
  filters: { source: 'Reddit' },
  compare: 'above',
  threshold: 500,
  forMinutes: 10,
};
const rule = { metric: 'visits', compare: 'rose_by', threshold: 200, forMinutes: 60 };
const alert = {
  id: SAMPLE.alertId,
  ...asked,
  channels: [],
  mutedUntil: null,
  state: 'firing',
  since: '2026-11-23T09:41:00.000Z',
  alarmSince: '2026-11-23T09:41:00.000Z',
  value: 912,
  baseline: null,
  unit: 'count',
  reason: null,
  evaluatedTo: '2026-11-23T09:52:00.000Z',
  createdAt: '2026-11-21T09:00:00.000Z',
};
const unknownAlert = { summary: 'Nobody’s alert', status: 404, params: { alertId: NOBODYS } };

export const alertExamples: Examples<typeof alertRoutes> = {
  listAllAlerts: [
    {
      summary: 'What fires now',
      status: 200,
      query: { state: 'firing' },
      response: {
        data: [
          {
            ...{ kind: 'site', projectId: SAMPLE.projectId, siteId: SAMPLE.siteId, site: 'Six Strings' },
            ...alert,
          },
        ],
        meta: { total: 1 },
      },
    },
    { summary: 'All alerts', status: 200 },
    { summary: 'No such state', status: 400, query: { state: 'burning' } },
  ],
  listSiteAlerts: [{ summary: 'All alerts', status: 200, response: { data: [alert] } }, unknownSite],
  createSiteAlert: [
    {
      summary: 'An alert',
      status: 201,
      body: asked,
      response: { data: { ...alert, state: 'ok', alarmSince: null } },
    },
    {
      summary: 'A filter that isn’t counted by the minute',
      status: 400,
      body: { ...asked, filters: { browser: 'Firefox' } },
    },
    {
      summary: 'A filter that doesn’t go with the metric',
      status: 400,
      body: { ...asked, metric: 'pageviews' },
    },
    {
      summary: 'Everything that a shop sells, hour by hour, against the last four weeks',
      status: 201,
      body: {
        name: 'Sales fell',
        metric: 'revenue',
        currency: 'EUR',
        compare: 'fell_by',
        threshold: 50,
        forMinutes: 180,
      },
    },
    { summary: 'Nobody’s channel', status: 400, body: { ...asked, channels: [NOBODYS] } },
    { ...unknownSite, body: asked },
  ],
  previewSiteAlert: [
    {
      summary: 'Before it is made',
      status: 200,
      body: rule,
      response: {
        data: {
          from: '2026-11-09T10:00:00.000Z',
          to: '2026-11-23T09:52:00.000Z',
          stepMinutes: 60,
          countedFrom: '2026-10-18T09:00:00.000Z',
          values: [{ time: '2026-11-09T10:00:00.000Z', value: 41, baseline: null }],
          firings: [{ from: '2026-11-17T20:03:00.000Z', to: '2026-11-17T21:10:00.000Z', value: 912 }],
          fired: 1,
        },
      },
    },
    { ...unknownSite, body: rule },
  ],
  getSiteAlert: [{ summary: 'An alert', status: 200, response: { data: alert } }, unknownAlert, unknownSite],
  changeSiteAlert: [
    {
      summary: 'Another threshold',
      status: 200,
      body: { threshold: 900 },
      response: { data: { ...alert, threshold: 900 } },
    },
    { summary: 'Muted', status: 200, body: { mutedUntil: '2099-01-01T00:00:00.000Z' } },
    { summary: 'Nothing', status: 400, body: {} },
    { ...unknownAlert, body: { threshold: 900 } },
    { ...unknownSite, body: { threshold: 900 } },
  ],
  deleteSiteAlert: [{ summary: 'An alert', status: 204 }, unknownAlert, unknownSite],
  listSiteAlertHistory: [
    {
      summary: 'What happened',
      status: 200,
      response: {
        data: [
          {
            at: '2026-11-23T09:41:00.000Z',
            state: 'firing',
            message: 'firing',
            value: 912,
            baseline: null,
            threshold: 500,
            reason: null,
            changed: [{ dimension: 'source', value: 'Reddit', change: 412 }],
          },
        ],
        meta: { nextCursor: null },
      },
    },
    unknownAlert,
    unknownSite,
  ],
};
