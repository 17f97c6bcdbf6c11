import { type Examples, SAMPLE, unknownEnvironment } from '../../lib/http/examples.ts';
import type { errorControlRoutes, errorRoutes } from './error-contract.ts';
import { sampleMeta } from './telemetry-sample-meta.ts';

const example = { time: '2026-11-21T09:59:12.004Z', traceId: SAMPLE.traceId, spanId: 'eee19b7ec3c1b174' };
const group = {
  id: SAMPLE.errorId,
  title: 'TypeError · chargeCard · src/orders/charge-card.js',
  service: 'shop',
  ...{ type: 'TypeError', cause: null, location: 'chargeCard · src/orders/charge-card.js', template: null },
  state: 'returned',
  ...{ firstSeenAt: '2026-11-19T16:20:31.877Z', lastSeenAt: example.time },
  ...{ firstRelease: '2.3.0', lastRelease: '2.4.1' },
  isNew: false,
  returnedAt: '2026-11-21T09:12:00.310Z',
  traces: 7,
  occurrences: 14,
  counts: [2, 12],
  example,
};
const counted = { intervalSeconds: 3600, countedFrom: '2026-11-21T08:00:00.000Z' };
const range = { from: counted.countedFrom, to: '2026-11-21T10:00:00.000Z', timezone: 'UTC' };
const unknownError = { summary: 'No such error', status: 404, params: { errorId: '00000000000000ff' } };

export const errorExamples: Examples<typeof errorRoutes & typeof errorControlRoutes> = {
  listErrors: [
    {
      summary: 'What isn’t solved, newest first',
      status: 200,
      query: { state: 'unsolved', order: 'first-seen' },
      response: {
        data: [group],
        meta: {
          ...sampleMeta,
          range,
          scope: { ...sampleMeta.scope, filters: { state: 'unsolved', order: 'first-seen' } },
          ...counted,
          nextCursor: null,
        },
      },
    },
    {
      summary: 'The most frequent of a service’s release in a week',
      status: 200,
      query: { service: 'shop', release: '2.4.1', order: 'count', period: '7d', limit: '5' },
    },
    { summary: 'A state that isn’t one', status: 400, query: { state: 'new' } },
    { summary: 'Not a cursor', status: 400, query: { cursor: '1' } },
    unknownEnvironment,
  ],
  getError: [
    {
      summary: 'With its releases, examples and pages',
      status: 200,
      response: {
        data: {
          ...group,
          releases: [
            {
              release: '2.4.1',
              firstHour: '2026-11-21T09:00:00.000Z',
              lastHour: '2026-11-21T09:00:00.000Z',
              occurrences: 12,
            },
            {
              release: '2.3.0',
              firstHour: '2026-11-19T16:00:00.000Z',
              lastHour: '2026-11-21T08:00:00.000Z',
              occurrences: 2,
            },
          ],
          examples: [example],
          pageViews: 'observed',
          pages: [{ siteId: SAMPLE.siteId, domain: 'example.com', path: '/cart', traces: 1, visits: 1 }],
          visits: [
            {
              ...{ siteId: SAMPLE.siteId, domain: 'example.com', startedAt: '2026-11-21T09:57:40.112Z' },
              ...{ source: 'Google', traceId: SAMPLE.traceId },
            },
          ],
        },
        meta: {
          ...sampleMeta,
          range,
          scope: { ...sampleMeta.scope, filters: { errorId: SAMPLE.errorId } },
          ...counted,
        },
      },
    },
    { summary: 'Of a month', status: 200, query: { period: '30d' } },
    { summary: 'Not an id', status: 404, params: { errorId: 'x' } },
    unknownError,
    unknownEnvironment,
  ],
  changeError: [
    {
      summary: 'Resolve it',
      status: 200,
      body: { state: 'resolved' },
      response: { data: { id: SAMPLE.errorId, state: 'resolved' } },
    },
    { summary: 'Ignore it', status: 200, body: { state: 'ignored' } },
    { summary: 'A state that nobody sets', status: 400, body: { state: 'returned' } },
    { ...unknownError, body: { state: 'resolved' } },
    { ...unknownEnvironment, body: { state: 'resolved' } },
  ],
};
