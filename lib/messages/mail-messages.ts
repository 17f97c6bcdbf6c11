import { describeMessage } from './describe-message.ts';
import { mailReport } from './mail-report.ts';
import { mailedLink } from './mailed-links.ts';
import { MESSAGE_WORDS } from './message-words.ts';
import { described } from './post-message.ts';
import { type Answer, noAnswer } from './post-out.ts';
import { accepted, sendOne } from './send-mail.ts';
import type { SenderContext } from './sender-context.ts';
import type { Taken } from './taken-message.ts';
import { writeMessageMail } from './write-message-mail.ts';

/** Sends messages to one mailbox as one mail. The status is that of the mail service: 202 accepted. */
export async function mailMessages(ctx: SenderContext, group: readonly Taken[]): Promise<Answer> {
  const [first] = group as readonly [Taken];
  if (ctx.sendMail === undefined) return noAnswer('This service sends no mail.');
  // A member whose address isn't confirmed any more.
  if (first.address === null) return accepted;
  if (first.event === 'report.mail') return mailReport(ctx, first);
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
