/** What the recipient of a mail does by its links (docs/messages.md#mails). The proof in the link stands for the recipient. */
import type { Ports } from '../context.ts';
import { reach, reachToRead } from '../db.ts';
import { notFound } from '../errors.ts';
import type { Language } from '../languages.ts';
import { type LinkSubject, subjectOf } from './mailed-links.ts';
import type { ChannelKeys } from './webhook-secrets.ts';

export interface LinkContext extends Pick<Ports, 'sql' | 'now'> {
  channelKeys: ChannelKeys;
}

export interface MailedLink extends LinkSubject {
  proof: string;
}

/** What the page behind a link shows. */
export interface LinkState {
  projectName: string;
  language: Language;
  /** The link has done already what it does. */
  isDone: boolean;
}

/** Compares in constant time, so that timing doesn't show the first difference. */
function isSame(a: string, b: string): boolean {
  let difference = a.length ^ b.length;
  for (let index = 0; index < a.length; index++) difference |= a.charCodeAt(index) ^ b.charCodeAt(index);
  return difference === 0;
}

/** Throws `NOT_FOUND` before the database is asked: guesses cost nothing. */
async function requireProof({ channelKeys }: LinkContext, { proof, ...subject }: MailedLink): Promise<void> {
  if (!isSame(await channelKeys.proofOf(subject.use, subjectOf(subject)), proof)) throw notFound('link');
}

interface LinkRow {
  name: string;
  language: Language;
  is_done: boolean;
}

const toState = (rows: readonly object[]): LinkState => {
  const [row] = rows as LinkRow[];
  if (row === undefined) throw notFound('link');
  return { projectName: row.name, language: row.language, isDone: row.is_done };
};

/** Shows what a link does, and changes nothing. Throws `NOT_FOUND`. Uses `message_channels_id`. */
export async function readLink(ctx: LinkContext, link: MailedLink): Promise<LinkState> {
  await requireProof(ctx, link);
  const { sql } = ctx;
  return toState(
    await reachToRead(sql`
      select projects.name, channel.language, case ${link.use}
          when 'confirm' then channel.confirmed_at is not null
          when 'unsubscribe' then channel.pause_reason is not distinct from 'unsubscribed'
          else not exists (
            select from mail_report_recipients recipient
            where recipient.report_id = ${link.reportId ?? null}::uuid and recipient.channel_id = channel.id
              and recipient.ended_at is null) end as is_done
      from message_channels channel join projects on projects.id = channel.project_id
      where channel.id = ${link.channelId}::uuid and channel.kind = 'mail'`),
  );
}

/** Does what a link does, also a second time. Throws `NOT_FOUND`. Uses `message_channels_id`. */
export async function followLink(ctx: LinkContext, link: MailedLink): Promise<LinkState> {
  await requireProof(ctx, link);
  const { sql } = ctx;
  const instant = new Date(ctx.now()).toISOString();
  if (link.use === 'unsubscribe-report') {
    await reach(sql`
      update mail_report_recipients set ended_at = coalesce(ended_at, ${instant}::timestamptz)
      where report_id = ${link.reportId ?? null}::uuid and channel_id = ${link.channelId}::uuid`);
    return readLink(ctx, link);
  }
  const change =
    link.use === 'confirm'
      ? sql`confirmed_at = coalesce(confirmed_at, ${instant}::timestamptz)`
      : sql`paused_at = coalesce(paused_at, ${instant}::timestamptz), pause_reason = 'unsubscribed'`;
  return toState(
    await reach(sql`
      with channel as (
        update message_channels set ${change}
        where id = ${link.channelId}::uuid and kind = 'mail' returning project_id, language
      )
      select projects.name, channel.language, true as is_done
      from channel join projects on projects.id = channel.project_id`),
  );
}
