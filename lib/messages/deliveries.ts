/** What was sent to a channel in the last 30 days, attempt by attempt (docs/messages.md#deliveries). */
import { memberProject, requireRole, requireWritten } from '../access.ts';
import { insertProjectAudit } from '../audit.ts';
import { bindCursor, openCursor } from '../bound-cursor.ts';
import type { SessionContext } from '../context.ts';
import { reach } from '../db.ts';
import { DomainError, refuseCursor } from '../errors.ts';
import type { Role } from '../roles.ts';
import type { ChannelContext } from './channel-context.ts';
import type { MessageEvent } from './event-types.ts';
import type { Delivery, ListDeliveries, OneDelivery } from './message-schemas.ts';

interface DeliveryRow {
  id: string;
  outbox_id: string;
  event: MessageEvent;
  state: Delivery['state'];
  at: Date;
  attempt: number;
  status: number | null;
  duration_ms: number;
  answer: string;
  fault: string | null;
  due_at: Date | null;
  micros: string;
}

export interface DeliveryPage {
  deliveries: Delivery[];
  /** The cursor of the next, older page; null at the end. */
  nextCursor: string | null;
}

/** Microseconds since 1970 and the id of the last delivery on the page. */
const POSITION = /^(\d{1,17})-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$/;

/** A channel's deliveries, newest first. Throws `NOT_FOUND`. Reads `message_deliveries_channel` backwards: `limit` rows per page. */
export async function listDeliveries(
  ctx: SessionContext,
  { limit, cursor, ...request }: ListDeliveries,
): Promise<DeliveryPage> {
  const [, micros = null, id = null] =
    cursor === undefined ? [] : (POSITION.exec(await openCursor(cursor, request)) ?? refuseCursor());
  const rows = await reach(ctx.sql`
    select target.role, delivery.*
    from (${memberProject(ctx, request.projectId)}) target
    join message_channels channel on channel.project_id = target.id and channel.id = ${request.channelId}::uuid
    left join lateral (
      select d.*, message.event, message.state, message.due_at, (extract(epoch from d.at) * 1000000)::bigint::text as micros
      from message_deliveries d
      join outbox message on message.project_id = d.project_id and message.id = d.outbox_id
      where d.project_id = channel.project_id and d.channel_id = channel.id and (
        ${micros}::bigint is null or (d.at, d.id) <
          (timestamptz 'epoch' + ${micros}::bigint * interval '1 microsecond', ${id}::uuid))
      order by d.at desc, d.id desc limit ${limit + 1}
    ) delivery on true
    order by delivery.at desc, delivery.id desc`);
  requireRole<{ role: Role }>(rows, { what: 'channel', may: ['owner', 'admin', 'viewer'] });
  const found = (rows as (DeliveryRow | { id: null })[]).flatMap((row) => (row.id === null ? [] : [row]));
  const page = found.slice(0, limit);
  const last = page.at(-1);
  const more = found.length > limit && last !== undefined;
  return {
    deliveries: page.map(toDelivery),
    nextCursor: more ? await bindCursor(`${last.micros}-${last.id}`, request) : null,
  };
}

const toDelivery = (row: DeliveryRow): Delivery => ({
  id: row.id,
  messageId: row.outbox_id,
  event: row.event,
  at: row.at.toISOString(),
  attempt: row.attempt,
  status: row.status,
  durationMs: row.duration_ms,
  answer: row.answer,
  fault: row.fault,
  state: row.state,
  nextAt: row.state === 'waiting' ? (row.due_at?.toISOString() ?? null) : null,
});

/**
 * Sends the message of a delivery again, with the same id. Throws `NOT_FOUND`, `FORBIDDEN` for viewers, and `CONFLICT` for a paused channel.
 * Uses primary keys.
 */
export async function resendDelivery(
  ctx: ChannelContext,
  { projectId, channelId, deliveryId }: OneDelivery,
): Promise<void> {
  const rows = await reach(ctx.sql`
    with target as (
      select project.id, project.role, channel.id as channel_id, channel.paused_at, delivery.outbox_id
      from (${memberProject(ctx, projectId)}) project
      join message_channels channel on channel.project_id = project.id and channel.id = ${channelId}::uuid
      join message_deliveries delivery
        on delivery.project_id = project.id and delivery.id = ${deliveryId}::uuid and delivery.channel_id = channel.id
    ), due as (
      update outbox message
      set state = 'waiting', due_at = ${new Date(ctx.now()).toISOString()}::timestamptz
      from target
      where message.project_id = target.id and message.id = target.outbox_id and target.role in ('owner', 'admin')
        and target.paused_at is null
      returning message.channel_id as id, message.project_id
    ), done as (select due.*, channel.name from due join message_channels channel on channel.id = due.id),
    audited as (${insertProjectAudit(ctx, 'channel.resend')})
    select target.role, done.id from target left join done on true`);
  const refused = () => new DomainError('CONFLICT', 'The channel is paused. Let it go on first.');
  requireWritten(rows, { what: 'delivery', refused });
  await ctx.wakeSender();
}
