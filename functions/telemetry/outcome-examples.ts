import { type Examples, SAMPLE, unknownEnvironment } from '../../lib/http/examples.ts';
import type { routes } from './contract.ts';
import { sampleMeta } from './telemetry-sample-meta.ts';

const outcome = {
  source: 'shop',
  domainEventId: 'order-4711-paid',
  type: 'order.paid',
  occurredAt: '2026-11-21T09:00:00.000Z',
  receivedAt: '2026-11-21T09:00:00.412Z',
  value: { amount: '129.90', currency: 'EUR' },
  attributes: { plan: 'yearly' },
  siteId: SAMPLE.siteId,
  sessionId: null,
  trace: { traceId: SAMPLE.traceId, spanId: 'eee19b7ec3c1b174', observed: true },
  sendings: 2,
  conflicts: 0,
};

export const outcomeExamples = {
  listOutcomes: [
    {
      summary: 'Of the last day',
      status: 200,
      query: { period: '24h' },
      response: {
        data: {
          types: [
            { type: 'order.paid', count: 1, values: [{ currency: 'EUR', count: 1, amount: '129.90' }] },
          ],
          outcomes: [outcome],
        },
        meta: {
          scope: sampleMeta.scope,
          range: { from: '2026-11-20T10:00:00.000Z', to: '2026-11-21T10:00:00.000Z', timezone: 'UTC' },
          coverage: { observed: true, since: '2026-10-01T08:00:00.000Z', observedShare: 0.983, dropped: {} },
          freshness: {
            lastReceivedAt: '2026-11-21T09:00:00.412Z',
            lastEventAt: '2026-11-21T09:00:00.000Z',
            foldedAt: '2026-11-21T10:00:00.000Z',
            evaluatedAt: '2026-11-21T10:00:00.000Z',
          },
          nextCursor: null,
        },
      },
    },
    { summary: 'Of a type', status: 200, query: { period: '30d', type: 'order.paid', limit: '100' } },
    { summary: 'By day', status: 200, query: { period: '30d', interval: '1d', limit: '1' } },
    { summary: 'Too many at once', status: 400, query: { limit: '101' } },
    { summary: 'Not a cursor', status: 400, query: { cursor: 'next' } },
    unknownEnvironment,
  ],
} satisfies Partial<Examples<typeof routes>>;
