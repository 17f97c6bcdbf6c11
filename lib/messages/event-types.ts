/** What messages are about (docs/messages.md#events). */
import * as v from 'valibot';

/** Events that a channel can ask for. */
export const WEBHOOK_EVENTS = [
  'alert.firing',
  'alert.over',
  'report.ready',
  'import.finished',
  'site.first_visit',
  'outcome.confirmed',
  'channel.paused',
] as const;
export const WebhookEvent = v.picklist(WEBHOOK_EVENTS);
export type WebhookEvent = v.InferOutput<typeof WebhookEvent>;

/**
 * Every message. `channel.test` goes to the one channel that somebody tries, `channel.confirm` asks the recipient of a mail channel, and
 * `report.mail` is a report by mail.
 */
export type MessageEvent = WebhookEvent | 'channel.test' | 'channel.confirm' | 'report.mail';
