import { type Examples, NOBODYS, type RouteExample, SAMPLE } from '../../lib/http/examples.ts';
import type { channelRoutes } from './channel-contract.ts';
import { unknownProject } from './project-examples.ts';

const createdAt = '2026-11-21T09:00:00.000Z';
const url = 'https://hooks.example.com/vendor';
const channel = {
  id: SAMPLE.channelId,
  kind: 'webhook',
  name: 'Incidents',
  address: null,
  url,
  events: ['alert.firing', 'alert.over'],
  language: 'en',
  createdAt,
  confirmedAt: createdAt,
  pausedAt: null,
  pauseReason: null,
  failingSince: null,
  oldSecretUntil: null,
};
const secret = 'whsec_mYl0bDAyb2Zsb25nZXJuaWdodHNvbGRlcmRheXMhIQ==';
const unknownChannel: RouteExample = {
  summary: 'Nobody’s channel',
  status: 404,
  params: { channelId: NOBODYS },
};

const delivery = {
  id: SAMPLE.deliveryId,
  messageId: '2d9f6a18-3c7e-4b50-8e14-c6a9d7f20b35',
  event: 'alert.firing',
  at: createdAt,
  attempt: 1,
  status: 200,
  durationMs: 84,
  answer: 'ok',
  fault: null,
  state: 'sent',
  nextAt: null,
};

export const channelExamples: Examples<typeof channelRoutes> = {
  listChannels: [{ summary: 'All channels', status: 200, response: { data: [channel] } }, unknownProject],
  createChannel: [
    {
      summary: 'A webhook',
      status: 201,
      body: {
        kind: 'webhook',
        url: 'https://hooks.example.org/vendor',
        events: ['alert.firing', 'alert.over'],
      },
      response: { data: { ...channel, url: 'https://hooks.example.org/vendor', secret } },
    },
    {
      summary: 'A mailbox',
      status: 201,
      body: { kind: 'mail', address: 'ops@example.pt', language: 'pt-PT' },
      response: {
        data: {
          ...channel,
          ...{ kind: 'mail', name: 'ops@example.pt', address: 'ops@example.pt', url: null, events: [] },
          ...{ language: 'pt-PT', confirmedAt: null, secret: null },
        },
      },
    },
    {
      summary: 'An address of a private network',
      status: 400,
      body: { kind: 'webhook', url: 'https://10.0.0.1/' },
    },
    { ...unknownProject, body: { kind: 'webhook', url } },
  ],
  getChannel: [{ summary: 'A channel', status: 200, response: { data: channel } }, unknownChannel],
  changeChannel: [
    {
      summary: 'Pause it',
      status: 200,
      body: { paused: true },
      response: { data: { ...channel, pausedAt: createdAt, pauseReason: 'person' } },
    },
    { ...unknownChannel, body: { paused: true } },
  ],
  deleteChannel: [{ summary: 'A channel', status: 204 }, unknownChannel],
  rotateSecret: [
    {
      summary: 'A new secret',
      status: 200,
      response: { data: { secret, oldSecretUntil: '2026-11-22T09:00:00.000Z' } },
    },
    unknownChannel,
  ],
  testChannel: [{ summary: 'A test', status: 202, response: { data: { sent: 'test' } } }, unknownChannel],
  listDeliveries: [
    { summary: 'The newest', status: 200, response: { data: [delivery], meta: { nextCursor: null } } },
    unknownChannel,
  ],
  resendDelivery: [
    { summary: 'Once more', status: 202 },
    { summary: 'Nobody’s delivery', status: 404, params: { deliveryId: NOBODYS } },
  ],
};
