import { type Examples, NOBODYS, SAMPLE, unknownEnvironment } from '../../lib/http/examples.ts';
import type { controlRoutes } from './control-contract.ts';
import { sampleMeta } from './telemetry-sample-meta.ts';

const createdAt = '2026-11-21T09:00:00.000Z';
const createdBy = { userId: SAMPLE.userId, name: 'Ada', isMember: true };
const key = {
  ...{ id: SAMPLE.ingestKeyId, name: 'Shop', outcomes: true },
  ...{ createdAt, createdBy, lastUsedAt: null },
};
const origins = {
  origins: [
    { origin: 'https://api.example.com', siteIds: [SAMPLE.siteId] },
    { origin: 'http://localhost:3000' },
  ],
};
const connection = {
  signal: 'traces',
  lastReceivedAt: '2026-11-21T09:59:58.412Z',
  itemsPerSecond: 24.037,
  lastError: {
    at: '2026-11-21T09:12:00.310Z',
    status: 200,
    message: 'Refused 12 of new services: the project has its quota of 1000 services.',
  },
  services: [{ name: 'shop', lastReceivedAt: '2026-11-21T09:59:58.412Z', itemsPerSecond: 24.037 }],
};
const unheard = (signal: string) => ({
  signal,
  lastReceivedAt: null,
  itemsPerSecond: null,
  lastError: null,
  services: [],
});
const retention = { traces: 14, logs: 30, metrics: 90 };

export const controlExamples: Examples<typeof controlRoutes> = {
  listIngestKeys: [{ summary: 'All keys', status: 200, response: { data: [key] } }, unknownEnvironment],
  createIngestKey: [
    {
      summary: 'For telemetry and outcomes',
      status: 201,
      body: { name: 'Shop', outcomes: true },
      response: { data: { ...key, key: 'ving_...' } },
    },
    { summary: 'For telemetry', status: 201, body: { name: 'Shop' } },
    { summary: 'Without a name', status: 400, body: {} },
    { ...unknownEnvironment, body: { name: 'Shop' } },
  ],
  revokeIngestKey: [
    { summary: 'A key', status: 204 },
    { summary: 'Nobody’s key', status: 404, params: { ingestKeyId: NOBODYS } },
    unknownEnvironment,
  ],
  getConnectionStatus: [
    {
      summary: 'Now',
      status: 200,
      response: {
        data: [connection, ...['logs', 'metrics', 'outcomes'].map(unheard)],
        meta: {
          ...sampleMeta,
          range: { from: '2026-11-21T09:54:59.000Z', to: '2026-11-21T09:59:59.000Z', timezone: 'UTC' },
          quotas: {
            bytesPerDay: {
              used: 1_882_304_117,
              limit: 20_000_000_000,
              resetsAt: '2026-11-22T00:00:00.000Z',
            },
            series: { used: 812, limit: 100_000 },
            services: { used: 2, limit: 1000 },
            attributeKeys: { used: 64, limit: 10_000 },
          },
        },
      },
    },
    unknownEnvironment,
  ],
  getOrigins: [{ summary: 'All origins', status: 200, response: { data: origins } }, unknownEnvironment],
  replaceOrigins: [
    { summary: 'Two origins', status: 200, body: origins, response: { data: origins } },
    { summary: 'None', status: 200, body: { origins: [] } },
    { summary: 'With a path', status: 400, body: { origins: [{ origin: 'https://api.example.com/v1' }] } },
    { summary: 'Without TLS', status: 400, body: { origins: [{ origin: 'http://api.example.com' }] } },
    {
      summary: 'Nobody’s site',
      status: 404,
      body: { origins: [{ origin: 'https://api.example.com', siteIds: [NOBODYS] }] },
    },
    { ...unknownEnvironment, body: origins },
  ],
  getTelemetryRetention: [
    { summary: 'Days', status: 200, response: { data: retention } },
    unknownEnvironment,
  ],
  replaceTelemetryRetention: [
    { summary: 'Days', status: 200, body: retention, response: { data: retention } },
    { summary: 'Too long', status: 400, body: { ...retention, metrics: 91 } },
    { summary: 'Not all of them', status: 400, body: { traces: 14 } },
    { ...unknownEnvironment, body: retention },
  ],
};
