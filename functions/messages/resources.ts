import { DEADLINES_MS } from '../../lib/db.ts';
import { connectSql } from '../../lib/http/connect-stores.ts';
import { mailAddressOf } from '../../lib/http/env-fields.ts';
import { connectMail } from '../../lib/mail.ts';
import { connectReceivers } from '../../lib/messages/post-out.ts';
import type { SenderContext } from '../../lib/messages/sender-context.ts';
import { channelKeys } from '../../lib/messages/webhook-secrets.ts';
import type { Env } from './env.ts';

/** What wakes a sender. The message says nothing: the outbox has what is due. */
export interface Bindings {
  SENDER: { send(message: null, options?: { delaySeconds?: number }): Promise<unknown> };
}

/** Makes the function's resources, once per isolate. */
export function createResources(env: Env, { SENDER }: Bindings) {
  const publicUrl = env.PUBLIC_URL.replace(/\/$/, '');
  const mailAddress = mailAddressOf(env);
  const sender: SenderContext = {
    sql: connectSql(env, DEADLINES_MS.background),
    now: () => Date.now(),
    random: () => Math.random(),
    publicUrl,
    channelKeys: channelKeys(env.CHANNEL_KEY),
    sendMail: mailAddress && connectMail(mailAddress),
    post: connectReceivers({
      loopback: env.LOOPBACK_RECEIVERS,
      egress: env.EGRESS_URL === undefined ? undefined : { url: env.EGRESS_URL, token: env.EGRESS_TOKEN },
      origin: new URL(publicUrl).hostname,
    }),
  };
  return { sender, wake: SENDER };
}
export type Resources = ReturnType<typeof createResources>;
