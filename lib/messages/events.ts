/** The `data` of each event, as webhooks get it and as mails and chats are written from it (docs/messages.md#events). */
import * as v from 'valibot';
import { described, Id, Instant } from '../fields.ts';
import type { WebhookEvent } from './event-types.ts';

const Named = v.object({ id: Id, name: v.string() });
const Path = described(v.string(), 'A path of the dashboard.');

const Alert = v.object({
  alert: Named,
  project: Named,
  site: v.optional(Named),
  environment: v.optional(Named),
  metric: v.string(),
  subject: v.optional(described(v.string(), 'The goal, event, service or metric that the alert is about.')),
  compare: v.picklist(['above', 'below', 'rose_by', 'fell_by', 'silent']),
  threshold: v.nullable(v.number()),
  forMinutes: v.number(),
  value: described(v.nullable(v.number()), 'Null: there is no data.'),
  baseline: v.optional(
    described(v.nullable(v.number()), 'What the same hours of the last four weeks had on average.'),
  ),
  unit: v.optional(v.picklist(['count', 'percent', 'ms', 'currency'])),
  since: described(Instant, 'When this state began.'),
  path: Path,
  changed: v.optional(
    described(
      v.array(v.object({ dimension: v.string(), value: v.string(), change: v.number() })),
      'What changed most, at most 5.',
    ),
  ),
});
export type AlertData = v.InferOutput<typeof Alert>;

const ReportReady = v.object({
  report: v.object({ id: Id, every: v.picklist(['day', 'week', 'month']) }),
  site: Named,
  from: described(v.string(), 'The first day, in the site’s zone.'),
  to: described(v.string(), 'The last day, inclusive.'),
  path: Path,
});

const ImportFinished = v.object({
  import: v.object({ id: Id, source: v.string() }),
  site: Named,
  from: v.nullable(v.string()),
  to: v.nullable(v.string()),
  path: Path,
});

const FirstVisit = v.object({ site: Named, at: Instant, path: Path });

const OutcomeConfirmed = v.object({
  outcome: v.object({
    source: v.string(),
    domainEventId: v.string(),
    type: v.string(),
    occurredAt: Instant,
    value: v.nullable(v.object({ amount: v.string(), currency: v.string() })),
  }),
  environment: Named,
});

const ChannelPaused = v.object({
  channel: v.object({ id: Id, kind: v.string(), name: v.string() }),
  project: Named,
  reason: v.picklist(['failures', 'gone']),
  failingSince: v.nullable(Instant),
});

export interface EventForm {
  description: string;
  data: v.GenericSchema;
  example: object;
}

const site = { id: '7d2f3c1e-5a84-4b8f-9c57-0e6f1a2b3c4d', name: 'Six Strings' };
const project = { id: '1b9e4f70-3c2d-4e5f-8a6b-9c0d1e2f3a4b', name: 'Guitars' };
const environment = { id: '3f6b2d90-7c14-4e8a-b5d1-60a9c8e7f214', name: 'production' };
const alert: AlertData = {
  alert: { id: '4a1f7c20-93be-4d58-8c06-2f9e5b7d1a34', name: 'Spike' },
  project,
  site,
  metric: 'visits',
  compare: 'rose_by',
  threshold: 100,
  forMinutes: 10,
  value: 540,
  baseline: 120,
  unit: 'count',
  since: '2026-11-21T09:20:00.000Z',
  path: `/sites/${site.id}?period=24h`,
  changed: [{ dimension: 'source', value: 'Reddit', change: 412 }],
};

/** Each event that a channel can ask for. */
export const EVENTS: Record<WebhookEvent, EventForm> = {
  'alert.firing': { description: 'An alert began to fire.', data: Alert, example: alert },
  'alert.over': {
    description: 'An alert fires no more.',
    data: Alert,
    example: { ...alert, value: 130, since: '2026-11-21T10:05:00.000Z', changed: [] },
  },
  'report.ready': {
    description: 'A report by mail was sent. Its figures are at `path`.',
    data: ReportReady,
    example: {
      report: { id: '6c2e8f41-b7d0-4593-a1e8-9f3d5c7b2064', every: 'week' },
      site,
      from: '2026-11-16',
      to: '2026-11-22',
      path: `/sites/${site.id}?from=2026-11-16&to=2026-11-22`,
    },
  },
  'import.finished': {
    description: 'All days of an import are in the reports.',
    data: ImportFinished,
    example: {
      import: { id: '7b3d9c52-e418-4f06-a2c7-d9f15b80e643', source: 'plausible' },
      site,
      from: '2024-01-01',
      to: '2026-10-31',
      path: `/sites/${site.id}`,
    },
  },
  'site.first_visit': {
    description: 'The first page view of a site was counted: its script works.',
    data: FirstVisit,
    example: { site, at: '2026-11-21T09:00:12.000Z', path: `/sites/${site.id}` },
  },
  'outcome.confirmed': {
    description:
      'A backend confirmed an outcome that was new. Without attributes, traces and sessions: nothing of a visitor.',
    data: OutcomeConfirmed,
    example: {
      outcome: {
        source: 'shop',
        domainEventId: 'order-1041',
        type: 'order.paid',
        occurredAt: '2026-11-21T09:00:00.000Z',
        value: { amount: '129.00', currency: 'EUR' },
      },
      environment,
    },
  },
  'channel.paused': {
    description: 'A channel is paused: nothing was accepted in three days, or its receiver answered 410.',
    data: ChannelPaused,
    example: {
      channel: { id: '8f2d6c14-a93e-4b70-95c8-1e7a4d3b6f02', kind: 'webhook', name: 'Incidents' },
      project,
      reason: 'failures',
      failingSince: '2026-11-18T09:00:00.000Z',
    },
  },
};
