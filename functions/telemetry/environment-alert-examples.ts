import type { Examples } from '../../lib/http/examples.ts';
import { NOBODYS, SAMPLE, unknownEnvironment } from '../../lib/http/examples.ts';
import type { alertRoutes } from './environment-alert-contract.ts';

const asked = {
  name: 'Checkout fails',
  metric: 'error_rate',
  service: 'checkout',
  compare: 'above',
  threshold: 5,
  forMinutes: 5,
};
const rule = { metric: 'p95', service: 'checkout', compare: 'above', threshold: 800, forMinutes: 5 };
const alert = {
  id: SAMPLE.environmentAlertId,
  ...asked,
  channels: [],
  mutedUntil: null,
  state: 'firing',
  since: '2026-11-23T09:41:00.000Z',
  alarmSince: '2026-11-23T09:41:00.000Z',
  value: 11.4,
  baseline: null,
  unit: 'percent',
  reason: null,
  evaluatedTo: '2026-11-23T09:52:00.000Z',
  createdAt: '2026-11-21T09:00:00.000Z',
};
const params = { alertId: SAMPLE.environmentAlertId };
const unknownAlert = { summary: 'Nobody’s alert', status: 404, params: { alertId: NOBODYS } };

export const alertExamples: Examples<typeof alertRoutes> = {
  listEnvironmentAlerts: [
    { summary: 'All alerts', status: 200, response: { data: [alert] } },
    unknownEnvironment,
  ],
  createEnvironmentAlert: [
    {
      summary: 'An alert',
      status: 201,
      body: asked,
      response: { data: { ...alert, state: 'ok', alarmSince: null } },
    },
    {
      summary: 'A service that is silent',
      status: 201,
      body: {
        name: 'Worker is silent',
        metric: 'silence',
        service: 'worker',
        compare: 'silent',
        forMinutes: 15,
      },
    },
    {
      summary: 'A percentile of no service',
      status: 400,
      body: { ...asked, metric: 'p95', service: undefined },
    },
    { summary: 'Nobody’s channel', status: 400, body: { ...asked, channels: [NOBODYS] } },
    { ...unknownEnvironment, body: asked },
  ],
  previewEnvironmentAlert: [
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
    { ...unknownEnvironment, body: rule },
  ],
  getEnvironmentAlert: [
    { summary: 'An alert', status: 200, params, response: { data: alert } },
    unknownAlert,
    unknownEnvironment,
  ],
  changeEnvironmentAlert: [
    {
      params,
      summary: 'Another threshold',
      status: 200,
      body: { threshold: 900 },
      response: { data: { ...alert, threshold: 900 } },
    },
    { summary: 'Muted', status: 200, params, body: { mutedUntil: '2099-01-01T00:00:00.000Z' } },
    { summary: 'Nothing', status: 400, params, body: {} },
    { ...unknownAlert, body: { threshold: 900 } },
    { ...unknownEnvironment, body: { threshold: 900 } },
  ],
  deleteEnvironmentAlert: [{ summary: 'An alert', status: 204, params }, unknownAlert, unknownEnvironment],
  listEnvironmentAlertHistory: [
    {
      params,
      summary: 'What happened',
      status: 200,
      response: {
        data: [
          {
            at: '2026-11-23T09:41:00.000Z',
            state: 'firing',
            message: 'firing',
            value: 11.4,
            baseline: null,
            threshold: 5,
            reason: null,
            changed: [{ dimension: 'operation', value: 'checkout POST /pay', change: 57 }],
          },
        ],
        meta: { nextCursor: null },
      },
    },
    unknownAlert,
    unknownEnvironment,
  ],
};
