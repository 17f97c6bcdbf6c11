import * as v from 'valibot';
import { DEADLINES_MS } from '../../lib/db.ts';
import { connectSql } from '../../lib/http/connect-stores.ts';
import { mailAddressOf } from '../../lib/http/env-fields.ts';
import { connectMail } from '../../lib/mail.ts';
import { connectReceivers } from '../../lib/messages/post-out.ts';
import { type ReadFigures, ReportFigures } from '../../lib/messages/report-figures.ts';
import type { SenderContext } from '../../lib/messages/sender-context.ts';
import { channelKeys } from '../../lib/messages/webhook-secrets.ts';
import type { Env } from './env.ts';

/** What wakes a sender. The message says nothing: the outbox has what is due. */
export interface Bindings {
  /** The entrypoint `MailFigures` of `analytics`, which alone reads visits. */
  FIGURES: { fetch(url: string, init: RequestInit): Promise<Response> };
  SENDER: { send(message: null, options?: { delaySeconds?: number }): Promise<unknown> };
}

/** Makes the function's resources, once per isolate. */
export function createResources(env: Env, { SENDER, FIGURES }: Bindings) {
  const publicUrl = env.PUBLIC_URL.replace(/\/$/, '');
  const mailAddress = mailAddressOf(env);
  const sender: SenderContext = {
    sql: connectSql(env, DEADLINES_MS.background),
    now: () => Date.now(),
    random: () => Math.random(),
    publicUrl,
    channelKeys: channelKeys(env.CHANNEL_KEY),
    sendMail: mailAddress && connectMail(mailAddress),
    readFigures: readFiguresBy(FIGURES),
    post: connectReceivers({
      loopback: env.LOOPBACK_RECEIVERS,
      egress: env.EGRESS_URL === undefined ? undefined : { url: env.EGRESS_URL, token: env.EGRESS_TOKEN },
      origin: new URL(publicUrl).hostname,
    }),
  };
  return { sender, wake: SENDER };
}
export type Resources = ReturnType<typeof createResources>;

/** 404: the site or the segment is gone. Every other error is thrown, and the message is tried again. */
const readFiguresBy =
  (figures: Bindings['FIGURES']): ReadFigures =>
  async (question) => {
    const response = await figures.fetch('http://analytics/', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(question),
    });
    if (response.status === 404) return undefined;
    if (!response.ok) throw new Error(`analytics answered ${response.status} for a report by mail`);
    return v.parse(ReportFigures, await response.json());
  };
