import type { AddressKey } from '../../lib/http/client-address.ts';
import type { Limiter, LimitPolicy } from '../../lib/http/limiter.ts';
import { requireAllowed } from '../../lib/http/rate-limit.ts';
import type { SendMail } from '../../lib/mail.ts';
import { untagged } from '../../lib/mailbox.ts';
import {
  CONFIRMATION_MAILS,
  INVITATION_MAILS,
  INVITER_DOMAIN_MAILS,
  INVITER_MAILS,
  RESET_MAILS,
} from './limits.ts';

export interface Counters {
  limiterOf: (policy: LimitPolicy) => Limiter;
  addressKey: AddressKey;
}

/**
 * Counts one more for a person's id or a mailbox, which Redis gets as a hash. The limit comes on top of the one in the headers.
 * Throws `RATE_LIMITED`, and `UNAVAILABLE` while Redis is away.
 */
export async function count(
  { limiterOf, addressKey }: Counters,
  policy: LimitPolicy,
  subject: string,
): Promise<void> {
  requireAllowed(await limiterOf(policy).take(await addressKey(undefined, subject), 'wait'));
}

const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1);

export type Mailer = ReturnType<typeof createMailer>;

/** Sends the mails that people cause, each within its limits. Made once per isolate. */
export function createMailer(send: SendMail, counters: Counters) {
  const within =
    (policy: LimitPolicy): SendMail =>
    async (mail) => {
      await count(counters, policy, untagged(mail.to));
      await send(mail);
    };
  const sendInvitation = within(INVITATION_MAILS);
  return {
    sendConfirmation: within(CONFIRMATION_MAILS),
    /** The recipient is counted before it is known whether an account has the address. */
    countReset: (email: string) => count(counters, RESET_MAILS, untagged(email)),
    sendReset: send,
    sendInvitation: async (mail: Parameters<SendMail>[0], inviterId: string): Promise<void> => {
      await count(counters, INVITER_MAILS, inviterId);
      await count(counters, INVITER_DOMAIN_MAILS, `${inviterId} ${domainOf(mail.to)}`);
      await sendInvitation(mail);
    },
  };
}
