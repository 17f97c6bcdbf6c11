import { countedAs } from '../messages/counted-as.ts';
import type { Limiter, LimitPolicy } from './limiter.ts';
import { requireAllowed } from './rate-limit.ts';

const DAY = 24 * 3600;
/** Mails that ask a recipient to confirm a channel, per mailbox that gets them, whoever asks. */
const CHANNEL_MAILS = { name: 'channel-mails', quota: 3, windowSeconds: DAY } as const;
/** Mails that ask a recipient to confirm a channel, per person who makes the channels. */
const CHANNEL_MAKER_MAILS = { name: 'channel-maker-mails', quota: 30, windowSeconds: DAY } as const;

/**
 * Counts one more question to a mailbox, which Redis gets as a hash. The mail itself waits in the outbox. Throws `RATE_LIMITED`, and
 * `UNAVAILABLE` while Redis is away.
 */
export async function countQuestion(
  { limiterOf }: { limiterOf: (policy: LimitPolicy) => Limiter },
  mailbox: string,
  makerId: string,
): Promise<void> {
  requireAllowed(await limiterOf(CHANNEL_MAKER_MAILS).take(makerId, 'wait'));
  requireAllowed(await limiterOf(CHANNEL_MAILS).take(await countedAs('mail', mailbox), 'wait'));
}
