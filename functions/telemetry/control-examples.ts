import { type Examples, NOBODYS, SAMPLE, unknownEnvironment } from '../../lib/http/examples.ts';
import type { controlRoutes } from './control-contract.ts';

const createdAt = '2026-11-21T09:00:00.000Z';
const key = { id: SAMPLE.ingestKeyId, name: 'Shop', outcomes: true, createdAt, lastUsedAt: null };
const origins = {
  origins: [
    { origin: 'https://api.example.com', siteIds: [SAMPLE.siteId] },
    { origin: 'http://localhost:3000' },
  ],
};
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
  getConnectionStatus: [{ summary: 'Now', status: 200 }, unknownEnvironment],
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
