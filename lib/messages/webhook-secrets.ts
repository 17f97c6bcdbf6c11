/** Secrets of webhooks in the form of Standard Webhooks: `whsec_` and 32 bytes in base64. */
import { toBase64Url } from '../bytes.ts';
import { createMac } from '../mac.ts';
import { toBase64 } from '../otlp/base64.ts';

/** Makes keys of a service's secret (the variable CHANNEL_KEY). Made once per isolate, because it remembers the imported key. */
export interface ChannelKeys {
  /** The secret of a webhook. Nothing but the salt is stored, so that who reads the database can't sign. */
  secretOf(salt: string): Promise<string>;
  /** The proof in a mailed link, which nobody else can make. `use` and `subject` say what it is good for. */
  proofOf(use: LinkUse, subject: string): Promise<string>;
}

/** What a mailed link does: confirms an address, ends a channel's mails, or ends one report by mail. */
export type LinkUse = 'confirm' | 'unsubscribe' | 'unsubscribe-report';

export function channelKeys(secret: string): ChannelKeys {
  const mac = createMac(secret);
  return {
    secretOf: async (salt) => `whsec_${toBase64(await mac(`webhook ${salt}`))}`,
    proofOf: async (use, subject) => toBase64Url(await mac(`${use} ${subject}`)),
  };
}
