import type { MemberContext } from '../context.ts';
import { DomainError, maybeStored } from '../errors.ts';
import { getOwnPolicy } from '../sites/site-policy.ts';
import { buildServerMessages } from './build-server-messages.ts';
import type { Deliver } from './fold-or-queue.ts';
import { type Receipt, receiptOf } from './receipt.ts';
import type { SendEvents } from './server-request.ts';

/** Half of what the fold remembers: an event that is sent again within it is always known again. */
const MAX_AGE_MS = 24 * 60 * 60 * 1000;
/** Clocks of servers differ. */
const MAX_AHEAD_MS = 60 * 1000;

export interface ServerEventsContext extends MemberContext {
  deliver: Deliver;
}

/**
 * Takes in what a member's server tells of a site's visitors. Throws `NOT_FOUND`, `FORBIDDEN` for viewers, `VALIDATION_ERROR` for
 * times too long ago or to come, and `UNAVAILABLE` when they can be neither folded nor queued: sent again, nothing counts twice.
 */
export async function takeServerEvents(
  ctx: ServerEventsContext,
  { siteId, events }: SendEvents,
): Promise<Receipt> {
  const site = await getOwnPolicy(ctx, { siteId });
  const receivedAt = ctx.now();
  refuseUntimely(events, receivedAt);
  const messages = buildServerMessages(events, { site, receivedAt });
  await ctx.deliver(messages).catch((cause: unknown) => Promise.reject(maybeStored(cause)));
  return receiptOf(messages.flatMap((message) => message.events));
}

function refuseUntimely(events: SendEvents['events'], now: number): void {
  const details = events.flatMap(({ occurredAt }, index) => {
    const at = occurredAt === undefined ? now : Date.parse(occurredAt);
    if (at >= now - MAX_AGE_MS && at <= now + MAX_AHEAD_MS) return [];
    return [
      {
        path: `events.${index}.occurredAt`,
        message: 'must be within the last 24 hours, and not in the future',
      },
    ];
  });
  if (details.length === 0) return;
  throw new DomainError('VALIDATION_ERROR', 'The request breaks the rules named in `details`.', { details });
}
