/** Reports of a site by mail: members see them, admins make, change and delete them (docs/messages.md#reports-by-mail). */
import { memberSite, requireWritten } from '../access.ts';
import { type AuditedContext, insertSiteAudit } from '../audit.ts';
import type { MemberContext } from '../context.ts';
import { type Fragment, reach, type Sql } from '../db.ts';
import { DomainError } from '../errors.ts';
import { invalidField } from '../fields.ts';
import type { Language } from '../languages.ts';
import { listed } from '../listed.ts';
import type { OneSite } from '../sites/schemas.ts';
import { inTurn, turnOfSite } from '../turns.ts';
import { countedAs } from './counted-as.ts';
import {
  type ChangeMailReport,
  type CreateMailReport,
  MAX_MAIL_REPORTS,
  type MailReport,
  type OneMailReport,
} from './mail-report-schemas.ts';
import { MAX_CHANNELS } from './message-schemas.ts';

/** The context of verbs by which a person changes reports by mail. */
export interface MailReportContext extends AuditedContext {
  /** Counts one more question to a mailbox whether it wants mails. Throws `RATE_LIMITED`. */
  countQuestion(mailbox: string): Promise<void>;
}

interface MailReportRow {
  id: string;
  every: MailReport['every'];
  weekday: number;
  language: Language;
  segment: MailReport['segment'];
  recipients: MailReport['recipients'];
  created_at: Date;
  next_at: Date;
  last_at: Date | null;
}

/**
 * The columns of a `MailReportRow`, of a `report`. At most 10 recipients, by primary keys; their messages of 30 days by `outbox_channel`.
 */
const columns = (sql: Sql): Fragment => sql`
  report.id, report.every, report.weekday, report.language, report.created_at, report.next_at,
  (select jsonb_build_object('id', s.id, 'name', s.name) from site_segments s where s.id = report.segment_id) as segment,
  (select coalesce(jsonb_agg(jsonb_build_object('address', channel.address, 'channelId', channel.id, 'state', case
      when channel.confirmed_at is null then 'waiting' when recipient.ended_at is not null then 'ended'
      when channel.paused_at is not null then 'paused' else 'confirmed' end) order by channel.address), '[]')
    from mail_report_recipients recipient join message_channels channel on channel.id = recipient.channel_id
    where recipient.report_id = report.id) as recipients,
  (select max(message.decided_at)
    from mail_report_recipients recipient
    join message_channels channel on channel.id = recipient.channel_id
    join outbox message on message.project_id = channel.project_id and message.channel_id = channel.id
    where recipient.report_id = report.id and message.state = 'sent'
      and starts_with(message.dedupe, 'report ' || report.id)) as last_at`;

const toMailReport = ({ created_at, next_at, last_at, ...row }: MailReportRow): MailReport => ({
  ...{ id: row.id, every: row.every, weekday: row.weekday, language: row.language },
  ...{ segment: row.segment, recipients: row.recipients },
  createdAt: created_at.toISOString(),
  nextAt: next_at.toISOString(),
  lastAt: last_at?.toISOString() ?? null,
});

/** A site's reports by mail, oldest first. Throws `NOT_FOUND`. At most 20 rows, by the primary key. */
export async function listMailReports(ctx: MemberContext, { siteId }: OneSite): Promise<MailReport[]> {
  const rows = await reach(ctx.sql`
    select ${columns(ctx.sql)}
    from (${memberSite(ctx, siteId)}) target
    left join mail_reports report on report.site_id = target.id
    order by report.created_at, report.id`);
  return listed<MailReportRow>(rows, 'site').map(toMailReport);
}

const instantOf = (ctx: { now: () => number }): string => new Date(ctx.now()).toISOString();

/**
 * Counts the questions to those of the addresses that the project has no channel for. A person who may not change the site asks nobody.
 * Throws the errors of `countQuestion`.
 */
async function countQuestions(
  ctx: MailReportContext,
  siteId: string,
  addresses: readonly string[],
): Promise<void> {
  const rows = await reach(ctx.sql`
    select asked.address
    from (${memberSite(ctx, siteId)}) target, unnest(${addresses}::text[]) asked(address)
    where target.role in ('owner', 'admin') and not exists (
      select from message_channels channel
      where channel.project_id = target.project_id and channel.kind = 'mail' and md5(channel.address) = md5(asked.address))`);
  for (const { address } of rows) await ctx.countQuestion(address);
}

/** The `recipients` with the key in `message_counts`, as JSON. */
const countedOf = async (recipients: readonly string[]): Promise<string> =>
  JSON.stringify(
    await Promise.all(
      recipients.map(async (address) => ({ address, counted: await countedAs('mail', address) })),
    ),
  );

/**
 * Parts of other statements, which have `report` (the written row) and `target`: makes mail channels for new addresses, asks their
 * recipients, and ties all addresses to the report.
 */
function withRecipients(
  ctx: MailReportContext,
  { counted, language }: { counted: string; language: string },
): Fragment {
  const { sql, actor } = ctx;
  const at = instantOf(ctx);
  return sql`
    wanted as (
      select item.* from report, jsonb_to_recordset(${counted}::jsonb) as item (address text, counted text)
    ), fresh as (
      insert into message_channels (project_id, kind, name, address, events, language, created_at, created_by, confirmed_at, counted_as)
      select target.project_id, 'mail', wanted.address, wanted.address, '{}', ${language}, ${at}::timestamptz, ${actor.userId}::uuid,
        null::timestamptz, decode(wanted.counted, 'hex')
      from target, wanted
      on conflict (project_id, kind, md5(address)) do nothing
      returning id, project_id, address
    ), asked as (
      insert into outbox (project_id, channel_id, event, payload, dedupe, decided_at, due_at)
      select project_id, id, 'channel.confirm', '{}', 'confirm ' || id, ${at}::timestamptz, ${at}::timestamptz from fresh
    ), tied as (
      insert into mail_report_recipients (report_id, channel_id)
      select report.id, channels.id from report, (
        select id, address from fresh
        union all
        select channel.id, channel.address from target join message_channels channel
          on channel.project_id = target.project_id and channel.kind = 'mail'
      ) channels
      where channels.address in (select address from wanted)
      on conflict (report_id, channel_id) do nothing
    )`;
}

/** Part of other statements: the condition that the project has room for the channels that the addresses need. */
const hasRoom = (sql: Sql, recipients: readonly string[]): Fragment => sql`
  (select count(*) from message_channels where project_id = target.project_id) + (
    select count(*) from unnest(${recipients}::text[]) address where not exists (
      select from message_channels channel
      where channel.project_id = target.project_id and channel.kind = 'mail' and md5(channel.address) = md5(address))
  ) <= ${MAX_CHANNELS}::integer`;

/**
 * Makes a report by mail. Throws `NOT_FOUND`, `FORBIDDEN` for viewers, `CONFLICT` at the maximum of reports or channels, and
 * `VALIDATION_ERROR` for a segment that the project doesn't share.
 */
export async function createMailReport(
  ctx: MailReportContext,
  { siteId, every, weekday, recipients, language, segment }: CreateMailReport,
): Promise<MailReport> {
  await countQuestions(ctx, siteId, recipients);
  const counted = await countedOf(recipients);
  const { sql, actor } = ctx;
  const at = instantOf(ctx);
  const shared = sql`(${segment ?? null}::uuid is null or exists (
    select from site_segments s where s.id = ${segment ?? null}::uuid and s.site_id = target.id and s.user_id is null))`;
  const rows = await inTurn(
    sql,
    [turnOfSite(sql, siteId)],
    sql`
    with target as (${memberSite(ctx, siteId)}), report as (
      insert into mail_reports (site_id, every, weekday, language, segment_id, created_at, created_by, next_at)
      select target.id, ${every}, ${weekday}, ${language}, ${segment ?? null}::uuid, ${at}::timestamptz, ${actor.userId}::uuid,
        next_mail_report(${at}::timestamptz, sites.timezone, ${every}, ${weekday})
      from target join sites on sites.id = target.id
      where target.role in ('owner', 'admin') and ${shared} and ${hasRoom(sql, recipients)}
        and (select count(*) from mail_reports where site_id = target.id) < ${MAX_MAIL_REPORTS}
      returning id
    ), ${withRecipients(ctx, { counted, language })},
    audited as (${insertSiteAudit(ctx, 'mail-report.create', sql`report`)})
    select target.role, report.id, ${shared} as is_shared from target left join report on true`,
  );
  const refused = () =>
    rows[0]?.is_shared === false
      ? invalidField('segment', 'must be a segment that the project shares')
      : tooMany();
  const { id } = requireWritten<{ id: string }>(rows, { what: 'site', refused });
  return getMailReport(ctx, { siteId, mailReportId: id });
}

const tooMany = (): DomainError =>
  new DomainError(
    'CONFLICT',
    `A site has at most ${MAX_MAIL_REPORTS} reports by mail, and a project at most ${MAX_CHANNELS} channels. Delete one first.`,
  );

/** One report by mail. Throws `NOT_FOUND`. Uses primary keys. */
async function getMailReport(
  ctx: MemberContext,
  { siteId, mailReportId }: OneMailReport,
): Promise<MailReport> {
  const rows = await reach(ctx.sql`
    select target.role, ${columns(ctx.sql)}
    from (${memberSite(ctx, siteId)}) target
    join mail_reports report on report.site_id = target.id and report.id = ${mailReportId}::uuid`);
  return toMailReport(
    requireWritten<MailReportRow>(rows, { what: 'mail report', may: ['owner', 'admin', 'viewer'] }),
  );
}

/**
 * Changes a report by mail. Who ended the report stays without it. Throws `NOT_FOUND`, `FORBIDDEN` for viewers, and `CONFLICT` at the maximum
 * of channels.
 */
export async function changeMailReport(
  ctx: MailReportContext,
  { siteId, mailReportId, every, weekday, recipients, language }: ChangeMailReport,
): Promise<MailReport> {
  if (recipients !== undefined) await countQuestions(ctx, siteId, recipients);
  const counted = await countedOf(recipients ?? []);
  const { sql } = ctx;
  const at = instantOf(ctx);
  const tied =
    recipients === undefined
      ? sql``
      : sql`, ${withRecipients(ctx, { counted, language: language ?? 'en' })}, untied as (
          delete from mail_report_recipients recipient using report, message_channels channel
          where recipient.report_id = report.id and channel.id = recipient.channel_id
            and channel.address <> all (${recipients}::text[]))`;
  const rows = await inTurn(
    sql,
    [turnOfSite(sql, siteId)],
    sql`
    with target as (${memberSite(ctx, siteId)}), found as (
      select report.id, sites.timezone, coalesce(${every ?? null}, report.every) as every,
        coalesce(${weekday ?? null}::integer, report.weekday) as weekday
      from target join sites on sites.id = target.id
      join mail_reports report on report.site_id = target.id and report.id = ${mailReportId}::uuid
    ), report as (
      update mail_reports report
      set every = found.every, weekday = found.weekday, language = coalesce(${language ?? null}, report.language),
        next_at = case when ${every !== undefined || weekday !== undefined}::boolean
          then next_mail_report(${at}::timestamptz, found.timezone, found.every, found.weekday) else report.next_at end
      from target, found
      where report.site_id = target.id and report.id = found.id and target.role in ('owner', 'admin')
        and ${recipients === undefined ? sql`true` : hasRoom(sql, recipients)}
      returning report.id
    )${tied}, audited as (${insertSiteAudit(ctx, 'mail-report.change', sql`report`)})
    select target.role, report.id from target join found on true left join report on true`,
  );
  requireWritten(rows, { what: 'mail report', refused: tooMany });
  return getMailReport(ctx, { siteId, mailReportId });
}

/** Deletes a report by mail. Throws `NOT_FOUND`, and `FORBIDDEN` for viewers. Uses the primary key. */
export async function deleteMailReport(
  ctx: AuditedContext,
  { siteId, mailReportId }: OneMailReport,
): Promise<void> {
  const rows = await reach(ctx.sql`
    with target as (${memberSite(ctx, siteId)}), deleted as (
      delete from mail_reports report using target
      where report.site_id = target.id and report.id = ${mailReportId}::uuid and target.role in ('owner', 'admin')
      returning report.id
    ), audited as (${insertSiteAudit(ctx, 'mail-report.delete', ctx.sql`deleted`)})
    select target.role, deleted.id
    from target
    join mail_reports known on known.site_id = target.id and known.id = ${mailReportId}::uuid
    left join deleted on true`);
  requireWritten(rows, { what: 'mail report' });
}
