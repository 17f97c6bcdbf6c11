/** Links in mails: the page behind one has a button, so that a scanner that follows it changes nothing (RFC 8058). */
import type { ChannelKeys, LinkUse } from './webhook-secrets.ts';

/** What a link is about: a channel, and the report by mail if it ends only that one. */
export interface LinkSubject {
  use: LinkUse;
  channelId: string;
  /** Of `unsubscribe-report`. */
  reportId?: string | undefined;
}

export const subjectOf = ({ channelId, reportId }: LinkSubject): string =>
  reportId === undefined ? channelId : `${channelId} ${reportId}`;

export async function mailedLink(
  { publicUrl, channelKeys }: { publicUrl: string; channelKeys: ChannelKeys },
  subject: LinkSubject,
): Promise<string> {
  const proof = await channelKeys.proofOf(subject.use, subjectOf(subject));
  const ids = subject.reportId === undefined ? subject.channelId : `${subject.channelId}/${subject.reportId}`;
  return `${publicUrl}/messages/${subject.use}/${ids}/${proof}`;
}
