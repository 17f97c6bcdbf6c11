import type { ProjectContext } from '../audit.ts';
import type { Loopback } from './receiver-address.ts';
import type { ChannelKeys } from './webhook-secrets.ts';

/** The context of verbs by which a person changes channels. */
export interface ChannelContext extends ProjectContext {
  channelKeys: ChannelKeys;
  /** Whether a receiver may be on the loopback interface. */
  loopback: Loopback;
  /**
   * Counts one more question to a mailbox whether it wants mails. Throws `RATE_LIMITED`, and `FORBIDDEN` if the service sends no mail.
   */
  countQuestion(mailbox: string): Promise<void>;
  /** Says that a message waits. Otherwise the sender looks once a minute. Never throws. */
  wakeSender(): Promise<void>;
}
