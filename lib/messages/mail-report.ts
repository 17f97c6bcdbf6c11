import { mailedLink } from './mailed-links.ts';
import { type Answer, noAnswer } from './post-out.ts';
import { sendOne } from './send-mail.ts';
import type { SenderContext } from './sender-context.ts';
import type { Taken } from './taken-message.ts';
import { writeReportMail } from './write-report-mail.ts';

interface ReportData {
  report: { id: string };
  site: { id: string; name: string };
  from: string;
  to: string;
  path: string;
}

/** The report was deleted since, or its recipient ended it: there is nothing to send. */
const nothingLeft: Answer = { status: 204, body: '', fault: null, allowsMore: false };

/**
 * Sends a report by mail. Its figures are read now and stored nowhere, so that the deletion of a visitor leaves nothing of theirs in messages.
 * One look-up by `mail_reports_id`.
 */
export async function mailReport(ctx: SenderContext, message: Taken): Promise<Answer> {
  const { report, site, from, to, path } = message.payload as ReportData;
  const channelId = message.channel_id ?? '';
  const [found] = await ctx.sql`
    select mail_reports.language, mail_reports.segment_id
    from mail_reports join mail_report_recipients recipient on recipient.report_id = mail_reports.id
    where mail_reports.id = ${report.id}::uuid and recipient.channel_id = ${channelId}::uuid and recipient.ended_at is null`;
  if (found === undefined) return nothingLeft;
  let figures: Awaited<ReturnType<SenderContext['readFigures']>>;
  try {
    figures = await ctx.readFigures({ siteId: site.id, from, to, segment: found.segment_id });
  } catch {
    return noAnswer('The figures of the report couldn’t be read.');
  }
  if (figures === undefined) return nothingLeft;
  const unsubscribeUrl = await mailedLink(ctx, { use: 'unsubscribe-report', channelId, reportId: report.id });
  return sendOne(ctx, {
    to: message.address ?? '',
    ...writeReportMail({
      ...{ site: site.name, from, to, figures, language: found.language, unsubscribeUrl, id: message.id },
      url: ctx.publicUrl + path,
    }),
  });
}
