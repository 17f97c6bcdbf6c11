/** Schemas of channels and of what was sent to them. */
import * as v from 'valibot';
import { Email } from '../accounts/auth/schemas.ts';
import { BOUND_CHARS } from '../bound-cursor.ts';
import { described, Id, Instant, Name } from '../fields.ts';
import { Language } from '../languages.ts';
import { Cursor, Limit } from '../paging.ts';
import { WEBHOOK_EVENTS, WebhookEvent } from './event-types.ts';

/** Maximum channels of a project. A message has a row in the outbox for each. */
export const MAX_CHANNELS = 20;
const MAX_URL_LENGTH = 1000;

export const ChannelKind = v.picklist(['mail', 'webhook', 'slack']);
export type ChannelKind = v.InferOutput<typeof ChannelKind>;

const Events = v.pipe(
  v.array(WebhookEvent),
  v.description(
    'The events that the channel gets although no alert and no report names it. Default: none. Each type stands once.',
  ),
  v.maxLength(WEBHOOK_EVENTS.length),
  v.check((events) => new Set(events).size === events.length, 'must have each type once'),
);

const MessageLanguage = described(Language, 'The language of mails and chat messages.');

/** An address that requests may go to. `refusalOfUrl` checks it further. */
const ReceiverUrl = v.pipe(
  v.string(),
  v.description(
    'An https address without a user name, at a public host. Its port is 443, or 1024 or higher.',
  ),
  v.maxLength(MAX_URL_LENGTH),
  v.url('must be an address like https://example.com/hooks'),
);

export const CreateChannel = v.pipe(
  v.strictObject({
    projectId: Id,
    kind: ChannelKind,
    name: v.optional(described(Name, 'Default: the mailbox, or the host of the address.')),
    address: v.optional(described(Email, 'The mailbox of a mail channel. Only `mail` has it.')),
    url: v.optional(ReceiverUrl),
    events: v.optional(Events, []),
    language: v.optional(MessageLanguage, 'en'),
  }),
  v.description('`mail` needs `address`; `webhook` and `slack` need `url`.'),
  v.forward(
    v.check(
      ({ kind, address }) => (kind === 'mail') === (address !== undefined),
      'must be there for the kind `mail`, and for no other',
    ),
    ['address'],
  ),
  v.forward(
    v.check(
      ({ kind, url }) => (kind === 'mail') !== (url !== undefined),
      'must be there for the kinds `webhook` and `slack`, and for no other',
    ),
    ['url'],
  ),
);
export type CreateChannel = v.InferOutput<typeof CreateChannel>;

/** Input of verbs that need only a channel of a project. */
export const OneChannel = v.strictObject({ projectId: Id, channelId: Id });
export type OneChannel = v.InferOutput<typeof OneChannel>;

export const ChangeChannel = v.pipe(
  v.strictObject({
    ...OneChannel.entries,
    name: v.optional(Name),
    events: v.optional(Events),
    language: v.optional(MessageLanguage),
    paused: v.optional(
      described(v.boolean(), 'True: nothing is sent. False: it is sent again, also after failures.'),
    ),
  }),
  v.description('At least one field. For another address make another channel.'),
  v.check(
    ({ name, events, language, paused }) =>
      name !== undefined || events !== undefined || language !== undefined || paused !== undefined,
    'must have at least one of `name`, `events`, `language` and `paused`',
  ),
);
export type ChangeChannel = v.InferOutput<typeof ChangeChannel>;

export const Channel = v.object({
  id: Id,
  kind: ChannelKind,
  name: v.string(),
  address: described(v.nullable(v.string()), 'The mailbox of a mail channel; otherwise null.'),
  url: described(
    v.nullable(v.string()),
    'Where requests go; viewers see its host alone. Null of a mail channel.',
  ),
  events: v.array(WebhookEvent),
  language: Language,
  createdAt: Instant,
  confirmedAt: described(
    v.nullable(Instant),
    'When the recipient of a mail channel confirmed the address. Null: not yet, and nothing else is sent to it.',
  ),
  pausedAt: described(v.nullable(Instant), 'Null: messages are sent.'),
  pauseReason: described(
    v.nullable(v.picklist(['person', 'failures', 'gone', 'unsubscribed'])),
    '`person`: somebody of the project. `failures`: nothing was accepted in three days. `gone`: the receiver answered 410. `unsubscribed`: ' +
      'the recipient of the mails.',
  ),
  failingSince: described(
    v.nullable(Instant),
    'When the first of the failures in a row was. Null: the last message was accepted, or there was none.',
  ),
  oldSecretUntil: described(v.nullable(Instant), 'Until then messages are signed with the old secret too.'),
});
export type Channel = v.InferOutput<typeof Channel>;

export const CreatedChannel = v.object({
  ...Channel.entries,
  secret: described(
    v.nullable(v.string()),
    'The secret that signs a webhook’s messages (`whsec_…`), shown only here. Null for the other kinds.',
  ),
});
export type CreatedChannel = v.InferOutput<typeof CreatedChannel>;

export const RotatedSecret = v.object({
  secret: described(v.string(), 'The new secret, shown only here.'),
  oldSecretUntil: described(Instant, 'Until then messages are signed with the old secret too.'),
});
export type RotatedSecret = v.InferOutput<typeof RotatedSecret>;

export const SentTest = v.object({
  sent: described(
    v.picklist(['test', 'question']),
    '`question`: the recipient hasn’t confirmed the address, and was asked again.',
  ),
});
export type SentTest = v.InferOutput<typeof SentTest>;

/** Microseconds, a dash and an id. */
const MAX_DELIVERY_CURSOR_LENGTH = 60 + BOUND_CHARS;

export const ListDeliveries = v.strictObject({
  ...OneChannel.entries,
  limit: Limit(20),
  cursor: Cursor(MAX_DELIVERY_CURSOR_LENGTH),
});
export type ListDeliveries = v.InferOutput<typeof ListDeliveries>;

/** Input of verbs that need only a delivery of a channel. */
export const OneDelivery = v.strictObject({ ...OneChannel.entries, deliveryId: Id });
export type OneDelivery = v.InferOutput<typeof OneDelivery>;

export const Delivery = v.object({
  id: Id,
  messageId: described(Id, 'The `webhook-id`: the same at each attempt.'),
  event: v.string(),
  at: described(Instant, 'When the attempt began.'),
  attempt: described(v.number(), '1 is the first.'),
  status: described(
    v.nullable(v.number()),
    'The status of the answer, of a mail that of the mail service. Null: no answer.',
  ),
  durationMs: v.number(),
  answer: described(v.string(), 'The first 1,024 bytes of the answer.'),
  fault: described(v.nullable(v.string()), 'Why there was no answer.'),
  state: described(
    v.picklist(['waiting', 'sent', 'failed', 'dropped']),
    'How the message is now. `waiting`: it is tried again. `failed`: nothing was accepted in three days. `dropped`: its channel was paused.',
  ),
  nextAt: described(v.nullable(Instant), 'When it is tried again.'),
});
export type Delivery = v.InferOutput<typeof Delivery>;
