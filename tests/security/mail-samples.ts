/** A confirmed mail channel that gets a report, and the proofs of the links in its mails. */
import type { Sql } from '../../lib/db.ts';
import { subjectOf } from '../../lib/messages/mailed-links.ts';
import { channelKeys } from '../../lib/messages/webhook-secrets.ts';

export const TEST_CHANNEL_KEY = 'a key that makes the links of tests only';
const keys = channelKeys(TEST_CHANNEL_KEY);

interface MailSamples {
  mailReportId: string;
  mailChannelId: string;
  confirmProof: string;
  unsubscribeProof: string;
  reportProof: string;
}

export async function addMails(
  sql: Sql,
  { projectId, siteId }: { projectId: string; siteId: string },
): Promise<MailSamples> {
  const [row] = await sql`
    with channel as (
      insert into message_channels (project_id, kind, name, address, events, language, created_at, confirmed_at, counted_as)
      values (${projectId}, 'mail', 'Team', 'team@example.org', '{}', 'en', now(), now(), sha256('mail team@example.org'))
      returning id
    ), report as (
      insert into mail_reports (site_id, every, weekday, language, created_at, next_at)
      values (${siteId}, 'week', 1, 'en', now(), now() + interval '1 day') returning id
    ), recipient as (
      insert into mail_report_recipients (report_id, channel_id) select report.id, channel.id from report, channel
    )
    select channel.id as channel_id, report.id as report_id from channel, report`;
  const { channel_id: channelId, report_id: reportId } = row as { channel_id: string; report_id: string };
  const proofOf = (use: 'confirm' | 'unsubscribe') => keys.proofOf(use, subjectOf({ use, channelId }));
  const subject = { use: 'unsubscribe-report', channelId, reportId } as const;
  return {
    mailReportId: reportId,
    mailChannelId: channelId,
    confirmProof: await proofOf('confirm'),
    unsubscribeProof: await proofOf('unsubscribe'),
    reportProof: await keys.proofOf(subject.use, subjectOf(subject)),
  };
}
