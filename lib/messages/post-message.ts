import { Webhook } from 'standardwebhooks';
import { type Described, describeMessage } from './describe-message.ts';
import type { MessageText } from './message-text.ts';
import type { Answer } from './post-out.ts';
import type { SenderContext } from './sender-context.ts';
import type { Taken } from './taken-message.ts';

const JSON_TYPE = 'application/json';

/** Sends a message to a webhook, or messages to a chat. */
export async function postMessage(ctx: SenderContext, group: readonly Taken[]): Promise<Answer> {
  const { post } = ctx;
  const [first] = group as readonly [Taken];
  const url = first.address ?? '';
  if (first.kind === 'webhook') return post({ url, ...(await signed(ctx, first)) });
  const texts = group.map((message) => describeMessage(described(message, ctx.publicUrl)));
  return post({
    url,
    headers: { 'Content-Type': JSON_TYPE },
    body: JSON.stringify({ text: texts.map(asChat).join('\n\n') }),
  });
}

export const described = (
  { event, payload, language, asked_by: askedBy }: Taken,
  publicUrl: string,
): Described => ({
  ...{ event, data: payload, language, publicUrl, askedBy },
});

/** Body and headers of Standard Webhooks. The id is the same at each attempt, and the body has the time of the decision. */
async function signed(
  { channelKeys, now }: SenderContext,
  message: Taken,
): Promise<{ headers: Record<string, string>; body: string }> {
  const body = JSON.stringify({
    type: message.event,
    timestamp: message.decided_at.toISOString(),
    data: message.payload,
  });
  const at = new Date(now());
  const salts = [message.secret_salt, message.old_secret_salt].filter((salt) => salt !== null);
  const secrets = await Promise.all(salts.map((salt) => channelKeys.secretOf(salt)));
  return {
    body,
    headers: {
      'Content-Type': JSON_TYPE,
      'webhook-id': message.id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': secrets.map((secret) => new Webhook(secret).sign(message.id, at, body)).join(' '),
    },
  };
}

/** Signs that mean something in Slack's texts. */
const escapeChat = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const asChat = ({ subject, lines, link }: MessageText): string =>
  [`*${escapeChat(subject)}*`, ...lines.map(escapeChat), ...(link ? [link.url] : [])].join('\n');
