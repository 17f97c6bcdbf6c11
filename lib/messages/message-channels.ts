/** The channels of a project: members see them, admins make, change, try and delete them (docs/messages.md#channels). */
import { memberProject, requireWritten } from '../access.ts';
import { insertProjectAudit } from '../audit.ts';
import type { SessionContext } from '../context.ts';
import { type Fragment, reach, refuseTaken, type Sql } from '../db.ts';
import { DomainError } from '../errors.ts';
import { invalidField } from '../fields.ts';
import type { Language } from '../languages.ts';
import { listed } from '../listed.ts';
import type { OneProject } from '../projects/schemas.ts';
import type { Role } from '../roles.ts';
import { inTurn, turnOfProject } from '../turns.ts';
import type { ChannelContext } from './channel-context.ts';
import { countedAs } from './counted-as.ts';
import type { WebhookEvent } from './event-types.ts';
import {
  type ChangeChannel,
  type Channel,
  type ChannelKind,
  type CreateChannel,
  type CreatedChannel,
  MAX_CHANNELS,
  type OneChannel,
  type RotatedSecret,
  type SentTest,
} from './message-schemas.ts';
import { refusalOfUrl } from './receiver-address.ts';

interface ChannelRow {
  /** The caller's, of rows that viewers read too. */
  role?: Role;
  id: string;
  kind: ChannelKind;
  name: string;
  address: string;
  events: WebhookEvent[];
  language: Language;
  created_at: Date;
  confirmed_at: Date | null;
  secret_salt: string | null;
  old_secret_until: Date | null;
  failing_since: Date | null;
  paused_at: Date | null;
  pause_reason: Channel['pauseReason'];
}

const columns = (sql: Sql): Fragment => sql`
  channel.id, channel.kind, channel.name, channel.address, channel.events, channel.language, channel.created_at,
  channel.confirmed_at, channel.secret_salt, channel.old_secret_until, channel.failing_since, channel.paused_at,
  channel.pause_reason`;

/** Who has the address of a chat's webhook can write to the chat, so viewers see its host alone. */
const shownUrl = ({ role, address }: ChannelRow): string =>
  role === 'viewer' ? `${new URL(address).origin}/…` : address;

const toChannel = (row: ChannelRow, now: number): Channel => ({
  id: row.id,
  kind: row.kind,
  name: row.name,
  address: row.kind === 'mail' ? row.address : null,
  url: row.kind === 'mail' ? null : shownUrl(row),
  events: row.events,
  language: row.language,
  createdAt: row.created_at.toISOString(),
  confirmedAt: row.confirmed_at?.toISOString() ?? null,
  pausedAt: row.paused_at?.toISOString() ?? null,
  pauseReason: row.pause_reason,
  failingSince: row.failing_since?.toISOString() ?? null,
  oldSecretUntil:
    row.old_secret_until !== null && row.old_secret_until.getTime() > now
      ? row.old_secret_until.toISOString()
      : null,
});

/** A project's channels, oldest first. Throws `NOT_FOUND`. At most 20 rows, by the primary key. */
export async function listChannels(ctx: SessionContext, { projectId }: OneProject): Promise<Channel[]> {
  const rows = await reach(ctx.sql`
    select target.role, ${columns(ctx.sql)}
    from (${memberProject(ctx, projectId)}) target
    left join message_channels channel on channel.project_id = target.id
    order by channel.created_at, channel.id
  `);
  return listed<ChannelRow>(rows, 'project').map((row) => toChannel(row, ctx.now()));
}

const instantOf = (ctx: { now: () => number }): string => new Date(ctx.now()).toISOString();

/**
 * Makes a channel. Its recipient is asked by mail, unless it is the caller's own confirmed address. Throws `NOT_FOUND`, `FORBIDDEN` for
 * viewers, `CONFLICT` for an address that the project has or at the maximum number, and the errors of `countQuestion`. Uses primary keys.
 */
export async function createChannel(
  ctx: ChannelContext,
  { projectId, kind, name, address, url, events, language }: CreateChannel,
): Promise<CreatedChannel> {
  if (url !== undefined) {
    const refusal = refusalOfUrl(url, ctx.loopback);
    if (refusal !== undefined) throw invalidField('url', refusal);
  }
  const where = address ?? new URL(url ?? '').href;
  if (kind === 'mail') await ctx.countQuestion(where);
  const { sql, actor } = ctx;
  const at = instantOf(ctx);
  const salt = kind === 'webhook' ? crypto.randomUUID() : null;
  const rows = await refuseTaken(
    inTurn(
      sql,
      [turnOfProject(sql, projectId)],
      sql`
      with target as (${memberProject(ctx, projectId)}), channel as (
        insert into message_channels (
          project_id, kind, name, address, events, language, created_at, created_by, confirmed_at, secret_salt, counted_as)
        select target.id, ${kind}, ${name ?? (kind === 'mail' ? where : new URL(where).host)}, ${where}, ${events}::text[],
          ${language}, ${at}::timestamptz, ${actor.userId}::uuid,
          case when ${kind !== 'mail'}::boolean or exists (
            select from users where id = ${actor.userId}::uuid and lower(email) = ${where} and email_verified
          ) then ${at}::timestamptz end,
          ${salt}::uuid, decode(${await countedAs(kind, where)}, 'hex')
        from target
        where target.role in ('owner', 'admin')
          and (select count(*) from message_channels where project_id = target.id) < ${MAX_CHANNELS}
        returning *
      ), asked as (${askRecipient(sql, at)}),
      done as (select channel.id, channel.name, channel.project_id from channel),
      audited as (${insertProjectAudit(ctx, 'channel.create')})
      select target.role, ${columns(sql)} from target left join channel on true
    `,
    ),
    'The project already has a channel with this address.',
  );
  const row = requireWritten<ChannelRow>(rows, {
    what: 'project',
    refused: () =>
      new DomainError('CONFLICT', `A project has at most ${MAX_CHANNELS} channels. Delete one first.`),
  });
  await ctx.wakeSender();
  return {
    ...toChannel(row, ctx.now()),
    secret: row.secret_salt === null ? null : await ctx.channelKeys.secretOf(row.secret_salt),
  };
}

/** Part of other statements: a message to the recipient of the mail channel `channel` who hasn't confirmed it. */
const askRecipient = (sql: Sql, at: string): Fragment => sql`
  insert into outbox (project_id, channel_id, event, payload, dedupe, decided_at, due_at)
  select channel.project_id, channel.id, 'channel.confirm', '{}', 'confirm ' || ${crypto.randomUUID()}::text,
    ${at}::timestamptz, ${at}::timestamptz
  from channel where channel.kind = 'mail' and channel.confirmed_at is null`;

/** Part of other statements: the channel with the caller's role, or no row. Uses primary keys. */
const memberChannel = (ctx: SessionContext, { projectId, channelId }: OneChannel): Fragment => ctx.sql`
  select project.id, project.role, channel.id as channel_id
  from (${memberProject(ctx, projectId)}) project
  join message_channels channel on channel.project_id = project.id and channel.id = ${channelId}::uuid`;

/** One channel of a project. Throws `NOT_FOUND`. Uses primary keys. */
export async function getChannel(ctx: SessionContext, channel: OneChannel): Promise<Channel> {
  const rows = await reach(ctx.sql`
    select target.role, ${columns(ctx.sql)}
    from (${memberChannel(ctx, channel)}) target
    join message_channels channel on channel.project_id = target.id and channel.id = target.channel_id`);
  return toChannel(
    requireWritten<ChannelRow>(rows, { what: 'channel', may: ['owner', 'admin', 'viewer'] }),
    ctx.now(),
  );
}

/**
 * Changes a channel, or pauses it. One that goes on again forgets its failures. Throws `NOT_FOUND`, `FORBIDDEN` for viewers, and `CONFLICT`
 * for a channel whose recipient ended the mails: only the recipient can begin them again. Uses primary keys.
 */
export async function changeChannel(
  ctx: ChannelContext,
  { name, events, language, paused, ...channel }: ChangeChannel,
): Promise<Channel> {
  const { sql } = ctx;
  const ended = sql`(channel.pause_reason = 'unsubscribed' and ${paused === false}::boolean)`;
  const rows = await reach(sql`
    with target as (${memberChannel(ctx, channel)}), changed as (
      update message_channels channel
      set name = coalesce(${name ?? null}, channel.name), events = coalesce(${events ?? null}::text[], channel.events),
        language = coalesce(${language ?? null}, channel.language),
        failing_since = case when ${paused === false}::boolean then null else channel.failing_since end,
        paused_at = case ${paused ?? null}::boolean
          when true then coalesce(channel.paused_at, ${instantOf(ctx)}::timestamptz) when false then null
          else channel.paused_at end,
        pause_reason = case ${paused ?? null}::boolean
          when true then coalesce(channel.pause_reason, 'person') when false then null else channel.pause_reason end
      from target
      where channel.project_id = target.id and channel.id = target.channel_id and target.role in ('owner', 'admin')
        and ${ended} is not true
      returning channel.*
    ), done as (select id, name, project_id from changed), audited as (${insertProjectAudit(ctx, 'channel.change')})
    select target.role, ${columns(sql)} from target left join changed channel on true`);
  const refused = () =>
    new DomainError(
      'CONFLICT',
      'The recipient ended the mails of this channel. Delete it and make it again: the recipient is asked again.',
    );
  return toChannel(requireWritten<ChannelRow>(rows, { what: 'channel', refused }), ctx.now());
}

/** Deletes a channel with its messages and deliveries. Throws `NOT_FOUND`, and `FORBIDDEN` for viewers. Uses primary keys. */
export async function deleteChannel(ctx: ChannelContext, channel: OneChannel): Promise<void> {
  const rows = await reach(ctx.sql`
    with target as (${memberChannel(ctx, channel)}), done as (
      delete from message_channels channel using target
      where channel.project_id = target.id and channel.id = target.channel_id and target.role in ('owner', 'admin')
      returning channel.id, channel.project_id, channel.name
    ), audited as (${insertProjectAudit(ctx, 'channel.delete')})
    select target.role, done.id from target left join done on true`);
  requireWritten(rows, { what: 'channel' });
}

/** For how long a webhook's old secret signs too. */
const OLD_SECRET_HOURS = 24;

/**
 * Gives a webhook a new secret; messages are signed with the old one too for a day. Throws `NOT_FOUND`, `FORBIDDEN` for viewers, `CONFLICT`
 * for another kind of channel. Uses primary keys.
 */
export async function rotateSecret(ctx: ChannelContext, channel: OneChannel): Promise<RotatedSecret> {
  const { sql } = ctx;
  const rows = await reach(sql`
    with target as (${memberChannel(ctx, channel)}), changed as (
      update message_channels channel
      set old_secret_salt = channel.secret_salt, secret_salt = ${crypto.randomUUID()}::uuid,
        old_secret_until = ${instantOf(ctx)}::timestamptz + make_interval(hours => ${OLD_SECRET_HOURS}::integer)
      from target
      where channel.project_id = target.id and channel.id = target.channel_id and target.role in ('owner', 'admin')
        and channel.kind = 'webhook'
      returning channel.*
    ), done as (select id, name, project_id from changed), audited as (${insertProjectAudit(ctx, 'channel.rotate')})
    select target.role, ${columns(sql)} from target left join changed channel on true`);
  const refused = () => new DomainError('CONFLICT', 'Only a webhook has a secret.');
  const row = requireWritten<ChannelRow>(rows, { what: 'channel', refused });
  return {
    secret: await ctx.channelKeys.secretOf(row.secret_salt ?? ''),
    oldSecretUntil: row.old_secret_until?.toISOString() ?? '',
  };
}

/**
 * Sends a message to one channel, so that somebody sees whether it arrives; to a recipient who hasn't confirmed the address, the question
 * again. Throws `NOT_FOUND`, `FORBIDDEN` for viewers, `CONFLICT` for a paused channel, and the errors of `countQuestion`. Uses primary keys.
 */
export async function testChannel(ctx: ChannelContext, channel: OneChannel): Promise<SentTest> {
  const { sql } = ctx;
  const { kind, address, confirmedAt } = await getChannel(ctx, channel);
  if (kind === 'mail' && confirmedAt === null) await ctx.countQuestion(address ?? '');
  const at = instantOf(ctx);
  const rows = await reach(sql`
    with target as (${memberChannel(ctx, channel)}), channel as (
      select channel.* from target
      join message_channels channel on channel.project_id = target.id and channel.id = target.channel_id
      where target.role in ('owner', 'admin') and channel.paused_at is null
    ), asked as (${askRecipient(sql, at)} returning channel_id),
    sent as materialized (
      select channel.id, channel.project_id, channel.name, send_message(channel.project_id, array[channel.id], 'channel.test',
        jsonb_build_object('channel', jsonb_build_object('id', channel.id, 'name', channel.name)), ${at}::timestamptz,
        'test ' || ${crypto.randomUUID()}::text) as written
      from channel
    ), done as (select id, project_id, name from sent where written > 0 or exists (select from asked)),
    audited as (${insertProjectAudit(ctx, 'channel.test')})
    select target.role, done.id, exists (select from asked) as asked from target left join done on true`);
  const refused = () => new DomainError('CONFLICT', 'The channel is paused. Let it go on first.');
  const row = requireWritten<{ id: string; asked: boolean }>(rows, { what: 'channel', refused });
  await ctx.wakeSender();
  return { sent: row.asked ? 'question' : 'test' };
}
