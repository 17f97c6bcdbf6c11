/**
 * Sends what waits in the outbox (docs/messages.md#sending): takes messages that are due, sends each, and notes what came of it. A sender
 * that is stopped between the two sends again after the lease, with the same id.
 */
import { untilSettled } from './at-once.ts';
import { mailMessages } from './mail-messages.ts';
import { postMessage } from './post-message.ts';
import { type Answer, noAnswer } from './post-out.ts';
import { retryPauseMs } from './retry-pauses.ts';
import type { SenderContext } from './sender-context.ts';
import type { Taken } from './taken-message.ts';

/** How long nobody else takes a message. More than a batch needs: 10 seconds for each of `BATCH / AT_ONCE` rounds. */
const LEASE_SECONDS = 120;
const BATCH = 40;
/** Messages that are being sent at the same time. */
const AT_ONCE = 8;

export interface SendResult {
  sent: number;
  failed: number;
  /** When the first of the messages that failed is due again, in milliseconds; undefined: none failed. */
  retryMs: number | undefined;
}

/** Sends until nothing is due or the time is up; `isDone` is false then. */
export async function sendDue(
  ctx: SenderContext,
  { timeMs }: { timeMs: number },
): Promise<SendResult & { isDone: boolean }> {
  const end = ctx.now() + timeMs;
  const total: SendResult = { sent: 0, failed: 0, retryMs: undefined };
  for (;;) {
    const taken = await takeDue(ctx);
    await untilSettled(groupsOf(taken), AT_ONCE, async (group) => {
      const answer = await send(ctx, group);
      for (const message of group) add(total, await note(ctx, message, answer));
    });
    if (taken.length === 0) return { ...total, isDone: true };
    if (ctx.now() >= end) return { ...total, isDone: false };
  }
}

/** One statement. Reads the taken rows and their channels by primary keys. */
async function takeDue({ sql, now }: SenderContext): Promise<Taken[]> {
  const instant = new Date(now()).toISOString();
  const rows = await sql`
    select message.project_id, message.id, message.event, message.payload, message.decided_at, taken.attempts,
      message.channel_id, coalesce(channel.kind, 'mail') as kind, coalesce(channel.language, 'en') as language,
      coalesce(channel.address, member.email) as address, asker.email as asked_by, channel.secret_salt,
      case when channel.old_secret_until > ${instant}::timestamptz then channel.old_secret_salt end as old_secret_salt
    from claim_messages(${instant}::timestamptz, make_interval(secs => ${LEASE_SECONDS}::integer), ${BATCH}::integer) taken
    join outbox message on message.project_id = taken.project_id and message.id = taken.id
    left join message_channels channel on channel.project_id = message.project_id and channel.id = message.channel_id
    left join users member on member.id = message.user_id and member.email_verified
    left join users asker on message.event = 'channel.confirm' and asker.id = channel.created_by and asker.email_verified
    order by message.decided_at, message.id`;
  return rows as Taken[];
}

/** Alerts of one mailbox or chat that were decided together make one message. Everything else goes alone. */
function groupsOf(taken: readonly Taken[]): Taken[][] {
  const groups = new Map<string, Taken[]>();
  for (const message of taken) {
    const isJoined = message.kind !== 'webhook' && message.event.startsWith('alert.');
    const key = isJoined ? `${message.channel_id}` : message.id;
    groups.set(key, [...(groups.get(key) ?? []), message]);
  }
  return [...groups.values()];
}

interface Sent extends Answer {
  tookMs: number;
  began: number;
}

async function send(ctx: SenderContext, group: readonly Taken[]): Promise<Sent> {
  const began = ctx.now();
  const [first] = group;
  const answer =
    first === undefined
      ? noAnswer('')
      : await (first.kind === 'mail' ? mailMessages(ctx, group) : postMessage(ctx, group));
  return { ...answer, began, tookMs: Math.max(0, Math.round(ctx.now() - began)) };
}

const isAccepted = ({ status }: Answer): boolean => status !== null && status >= 200 && status < 300;

/** Notes one delivery, in one statement, by primary keys. */
async function note(ctx: SenderContext, message: Taken, answer: Sent): Promise<SendResult> {
  const accepted = isAccepted(answer);
  const pause = accepted || answer.status === 410 ? undefined : retryPauseMs(message.attempts, ctx.random());
  const next = pause === undefined ? null : new Date(ctx.now() + pause).toISOString();
  await ctx.sql`
    select note_delivery(${message.project_id}::uuid, ${message.id}::uuid, ${new Date(answer.began).toISOString()}::timestamptz,
      ${answer.tookMs}::integer, ${answer.status}::integer, ${answer.body}, ${answer.fault}, ${accepted}::boolean,
      ${answer.allowsMore}::boolean, ${next}::timestamptz)`;
  return accepted ? { sent: 1, failed: 0, retryMs: undefined } : { sent: 0, failed: 1, retryMs: pause };
}

function add(total: SendResult, one: SendResult): void {
  total.sent += one.sent;
  total.failed += one.failed;
  if (one.retryMs !== undefined) total.retryMs = Math.min(total.retryMs ?? one.retryMs, one.retryMs);
}
