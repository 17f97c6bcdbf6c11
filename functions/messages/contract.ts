import * as v from 'valibot';
import { Id } from '../../lib/fields.ts';
import type { Contracts } from '../../lib/http/contract.ts';
import { WebhookEvent } from '../../lib/messages/event-types.ts';

const EventDescription = v.object({
  type: WebhookEvent,
  description: v.string(),
  schema: v.pipe(
    v.record(v.string(), v.unknown()),
    v.description('JSON Schema (2020-12) of the whole body of a webhook.'),
  ),
  example: v.record(v.string(), v.unknown()),
});

/** An HMAC of 32 bytes in base64url. */
const Proof = v.pipe(v.string(), v.regex(/^[A-Za-z0-9_-]{43}$/));
const page = {
  tag: 'Messages',
  auth: 'public',
  // A guess is refused before the database is asked.
  limit: null,
  params: { channelId: Id, proof: Proof },
  errors: ['NOT_FOUND'],
} as const;
const ofReport = { ...page, params: { channelId: Id, reportId: Id, proof: Proof } } as const;
const shown = { 200: { description: 'HTML.', contentType: 'text/html; charset=utf-8' } } as const;
const GET = { method: 'GET', responses: shown, description: 'Shows a button and changes nothing.' } as const;
const POST = { method: 'POST', responses: shown } as const;

/** Messages that go out, seen from outside. */
export const routes = {
  listWebhookEvents: {
    tag: 'Messages',
    auth: 'public',
    limit: null,
    method: 'GET',
    path: '/api/v1/webhook-events',
    summary: 'Every event that webhooks get, with its JSON Schema and an example',
    responses: {
      200: { description: 'The events.', schema: v.object({ data: v.array(EventDescription) }) },
    },
  },
  getConfirmPage: {
    ...page,
    ...GET,
    path: '/messages/confirm/:channelId/:proof',
    summary: 'The page by which a recipient confirms a mail channel',
  },
  confirmChannel: {
    ...page,
    ...POST,
    path: '/messages/confirm/:channelId/:proof',
    summary: 'Confirm a mail channel',
  },
  getUnsubscribePage: {
    ...page,
    ...GET,
    path: '/messages/unsubscribe/:channelId/:proof',
    summary: 'The page by which a recipient ends the mails of a channel',
  },
  getUnsubscribeReportPage: {
    ...ofReport,
    ...GET,
    path: '/messages/unsubscribe-report/:channelId/:reportId/:proof',
    summary: 'The page by which a recipient ends one report by mail',
  },
  unsubscribeReport: {
    ...ofReport,
    ...POST,
    path: '/messages/unsubscribe-report/:channelId/:reportId/:proof',
    summary: 'End one report by mail',
    description: 'One-click unsubscribe (RFC 8058): without a cookie, whatever the body is.',
  },
  unsubscribe: {
    ...page,
    ...POST,
    path: '/messages/unsubscribe/:channelId/:proof',
    summary: 'End the mails of a channel',
    description: 'One-click unsubscribe (RFC 8058): without a cookie, whatever the body is.',
  },
} as const satisfies Contracts;

export const components = {};
