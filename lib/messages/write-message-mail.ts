import type { Language } from '../languages.ts';
import type { Mail } from '../mail.ts';
import { button, footerLink, heading, mailPage, paragraph } from './mail-page.ts';
import type { MessageText } from './message-text.ts';
import { MESSAGE_WORDS } from './message-words.ts';

/** What stands below a mail: a way to end the mails. Absent in mails to members and in the question to a new recipient. */
interface Ending {
  /** A page with a button (GET), which ends the mails at once by a POST (RFC 8058). */
  unsubscribeUrl: string;
}

/** One mail of several messages: those that were decided at the same time are read together. */
export function writeMessageMail(
  messages: readonly MessageText[],
  { language, ending, id }: { language: Language; ending: Ending | undefined; id: string },
): Omit<Mail, 'to'> {
  const words = MESSAGE_WORDS[language];
  const [only] = messages;
  const subject =
    messages.length === 1 && only !== undefined ? only.subject : severalSubject(messages, words);
  const bottom =
    ending === undefined ? [] : [words.whyMail, `${words.unsubscribe}: ${ending.unsubscribeUrl}`];
  return {
    subject,
    id,
    text: [...messages.map(asText), ...(bottom.length > 0 ? [['-- ', ...bottom].join('\n')] : [])]
      .join('\n\n')
      .concat('\n'),
    html: mailPage({
      language,
      title: subject,
      body: messages
        .map(asHtml)
        .join('\n<hr class="line" style="border:0;border-top:1px solid #dfe2e7;margin:24px 0">\n'),
      footer:
        ending === undefined
          ? ''
          : `${paragraph(words.whyMail)}${footerLink(words.unsubscribe, ending.unsubscribeUrl)}`,
    }),
    ...(ending !== undefined && { headers: unsubscribeHeaders(ending.unsubscribeUrl) }),
  };
}

/** One-click unsubscribe (RFC 8058). */
export const unsubscribeHeaders = (url: string): Record<string, string> => ({
  'List-Unsubscribe': `<${url}>`,
  'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
});

const severalSubject = (
  messages: readonly MessageText[],
  words: { several: (count: number) => string },
): string =>
  `${words.several(messages.length)}: ${messages.map(({ subject }) => subject).join(' · ')}`.slice(0, 200);

const asText = ({ subject, lines, link }: MessageText): string =>
  [subject, '', ...lines, ...(link ? ['', `${link.label}: ${link.url}`] : [])].join('\n');

const asHtml = ({ subject, lines, link }: MessageText): string =>
  [heading(subject), ...lines.map(paragraph), ...(link ? [button(link.label, link.url)] : [])].join('\n');
