import type { Ports } from '../context.ts';
import type { SendMail } from '../mail.ts';
import type { PostOut } from './post-out.ts';
import type { ReadFigures } from './report-figures.ts';
import type { ChannelKeys } from './webhook-secrets.ts';

/** The context of the verbs that send what waits in the outbox. Nobody asks: a cron or a queue calls them. */
export interface SenderContext extends Ports {
  channelKeys: ChannelKeys;
  /** The address that browsers use, without a final slash. */
  publicUrl: string;
  /** Undefined: the service sends no mail. */
  sendMail: SendMail | undefined;
  post: PostOut;
  /** Reads the figures of a report by mail. */
  readFigures: ReadFigures;
  /** From 0 to 1. */
  random: () => number;
}
