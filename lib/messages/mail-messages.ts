import { DomainError } from '../errors.ts';
import { describeMessage } from './describe-message.ts';
import { mailedLink } from './mailed-links.ts';
import { MESSAGE_WORDS } from './message-words.ts';
import { described } from './post-message.ts';
import { type Answer, noAnswer } from './post-out.ts';
import type { SenderContext } from './sender-context.ts';
import type { Taken } from './taken-message.ts';
import { writeMessageMail } from './write-message-mail.ts';

/** Sends messages to one mailbox as one mail. The status is that of the mail service: 202 accepted. */
export async function mailMessages(ctx: SenderContext, group: readonly Taken[]): Promise<Answer> {
  const [first] = group as readonly [Taken];
  if (ctx.sendMail === undefined) return noAnswer('This service sends no mail.');
  // A member whose address isn't confirmed any more.
  if (first.address === null) return accepted;
  const { channel_id: channelId, language } = first;
  const isQuestion = first.event === 'channel.confirm';
  const texts = await Promise.all(
    group.map(async (message) => {
      const text = describeMessage(described(message, ctx.publicUrl));
      if (!isQuestion || channelId === null) return text;
      const url = await mailedLink(ctx, { use: 'confirm', channelId });
      return { ...text, link: { label: MESSAGE_WORDS[language].confirmButton, url } };
    }),
  );
  const ending =
    channelId === null || isQuestion
      ? undefined
      : { unsubscribeUrl: await mailedLink(ctx, { use: 'unsubscribe', channelId }) };
  return sendOne(ctx, { to: first.address, ...writeMessageMail(texts, { language, ending, id: first.id }) });
}

const accepted: Answer = { status: 202, body: '', fault: null, allowsMore: false };

/** Sends a mail and says what came of it. Never throws. */
export async function sendOne(
  { sendMail }: SenderContext,
  mail: Parameters<NonNullable<SenderContext['sendMail']>>[0],
): Promise<Answer> {
  try {
    await sendMail?.(mail);
    return accepted;
  } catch (error) {
    const cause = error instanceof DomainError ? error.cause : error;
    return noAnswer(
      cause instanceof Error && cause.message.startsWith('The mail service')
        ? cause.message
        : 'The mail service is out of reach.',
    );
  }
}
