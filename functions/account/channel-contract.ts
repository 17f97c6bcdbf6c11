import * as v from 'valibot';
import type { Contracts } from '../../lib/http/contract.ts';
import {
  ChangeChannel,
  Channel,
  CreateChannel,
  CreatedChannel,
  Delivery,
  ListDeliveries,
  OneChannel,
  OneDelivery,
  RotatedSecret,
  SentTest,
} from '../../lib/messages/message-schemas.ts';
import { OneProject } from '../../lib/projects/schemas.ts';

const shared = { tag: 'Messages', auth: 'session', limit: null } as const;
const path = '/api/v1/projects/:projectId/channels';

const ChannelAnswer = v.object({ data: Channel });

/** Where a project's messages go. */
export const channelRoutes = {
  listChannels: {
    ...shared,
    method: 'GET',
    path,
    input: OneProject,
    summary: 'A project’s channels, oldest first',
    responses: { 200: { description: 'The channels.', schema: v.object({ data: v.array(Channel) }) } },
    errors: ['NOT_FOUND'],
  },
  createChannel: {
    ...shared,
    audit: 'channel.create',
    method: 'POST',
    path,
    input: CreateChannel,
    summary: 'Make a channel: a mailbox, a webhook, or a chat that takes Slack’s payload',
    description:
      'The recipient of a mail channel is asked first, by mail; nothing else is sent before they confirm. The caller’s own confirmed address ' +
      'needs no question. A project has at most 20 channels, each address once.',
    responses: { 201: { description: 'The new channel.', schema: v.object({ data: CreatedChannel }) } },
    errors: ['NOT_FOUND', 'CONFLICT', 'RATE_LIMITED'],
  },
  getChannel: {
    ...shared,
    method: 'GET',
    path: `${path}/:channelId`,
    input: OneChannel,
    summary: 'One channel',
    responses: { 200: { description: 'The channel.', schema: ChannelAnswer } },
    errors: ['NOT_FOUND'],
  },
  changeChannel: {
    ...shared,
    audit: 'channel.change',
    method: 'PATCH',
    path: `${path}/:channelId`,
    input: ChangeChannel,
    summary: 'Change a channel, pause it, or let it go on',
    responses: { 200: { description: 'The changed channel.', schema: ChannelAnswer } },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  deleteChannel: {
    ...shared,
    audit: 'channel.delete',
    method: 'DELETE',
    path: `${path}/:channelId`,
    input: OneChannel,
    summary: 'Delete a channel with its messages and deliveries',
    responses: { 204: { description: 'Deleted.' } },
    errors: ['NOT_FOUND'],
  },
  rotateSecret: {
    ...shared,
    audit: 'channel.rotate',
    method: 'POST',
    path: `${path}/:channelId/secret`,
    input: OneChannel,
    summary: 'Give a webhook a new secret',
    description: 'For 24 hours messages are signed with both secrets.',
    responses: { 200: { description: 'The new secret.', schema: v.object({ data: RotatedSecret }) } },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  testChannel: {
    ...shared,
    audit: 'channel.test',
    method: 'POST',
    path: `${path}/:channelId/test`,
    input: OneChannel,
    summary: 'Send a message to one channel to see whether it arrives',
    description: 'A recipient who hasn’t confirmed the address is asked again instead.',
    responses: {
      202: { description: 'The message waits to be sent.', schema: v.object({ data: SentTest }) },
    },
    errors: ['NOT_FOUND', 'CONFLICT', 'RATE_LIMITED'],
  },
  listDeliveries: {
    ...shared,
    method: 'GET',
    path: `${path}/:channelId/deliveries`,
    input: ListDeliveries,
    summary: 'Each attempt to send something to a channel, newest first',
    description: 'Of the messages of the last 30 days.',
    responses: {
      200: {
        description: 'The deliveries.',
        schema: v.object({
          data: v.array(Delivery),
          meta: v.object({ nextCursor: v.nullable(v.string()) }),
        }),
      },
    },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
  resendDelivery: {
    ...shared,
    audit: 'channel.resend',
    method: 'POST',
    path: `${path}/:channelId/deliveries/:deliveryId/resend`,
    input: OneDelivery,
    summary: 'Send the message of a delivery again',
    description: 'With the same `webhook-id`.',
    responses: { 202: { description: 'The message waits to be sent.' } },
    errors: ['NOT_FOUND', 'CONFLICT'],
  },
} as const satisfies Contracts;

export const channelComponents = { Channel, Delivery };
