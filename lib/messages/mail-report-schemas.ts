/** Schemas of reports by mail. */
import * as v from 'valibot';
import { Email } from '../accounts/auth/schemas.ts';
import { described, Id, Instant } from '../fields.ts';
import { Language } from '../languages.ts';

/** Maximum reports of a site. */
export const MAX_MAIL_REPORTS = 20;
const MAX_RECIPIENTS = 10;

const Every = v.picklist(['day', 'week', 'month']);
const Weekday = v.pipe(
  v.number(),
  v.description('On which day a weekly report is sent: 1 is Monday. Default: Monday.'),
  v.integer(),
  v.minValue(1),
  v.maxValue(7),
);
const Recipients = v.pipe(
  v.array(Email),
  v.description(
    'Each is a mail channel of the project, which is made if there is none. Its recipient confirms it once.',
  ),
  v.minLength(1),
  v.maxLength(MAX_RECIPIENTS),
  v.check((all) => new Set(all).size === all.length, 'must have each address once'),
);
const SegmentId = described(
  Id,
  'A segment that the project shares: the report counts what it keeps. Default: everything.',
);

export const CreateMailReport = v.strictObject({
  siteId: Id,
  every: Every,
  weekday: v.optional(Weekday, 1),
  recipients: Recipients,
  language: v.optional(Language, 'en'),
  segment: v.optional(SegmentId),
});
export type CreateMailReport = v.InferOutput<typeof CreateMailReport>;

/** Input of verbs that need only a report by mail. */
export const OneMailReport = v.strictObject({ siteId: Id, mailReportId: Id });
export type OneMailReport = v.InferOutput<typeof OneMailReport>;

export const ChangeMailReport = v.pipe(
  v.strictObject({
    ...OneMailReport.entries,
    every: v.optional(Every),
    weekday: v.optional(Weekday),
    recipients: v.optional(Recipients),
    language: v.optional(Language),
  }),
  v.description(
    'At least one field; new `recipients` replace the old ones. For another segment make another report.',
  ),
  v.check(
    ({ siteId: _, mailReportId: __, ...change }) =>
      Object.values(change).some((value) => value !== undefined),
    'must have at least one of `every`, `weekday`, `recipients` and `language`',
  ),
);
export type ChangeMailReport = v.InferOutput<typeof ChangeMailReport>;

export const MailReport = v.object({
  id: Id,
  every: Every,
  weekday: Weekday,
  language: Language,
  segment: v.nullable(v.object({ id: Id, name: v.string() })),
  recipients: v.array(
    v.object({
      address: v.string(),
      channelId: described(Id, 'The mail channel of the project.'),
      state: described(
        v.picklist(['confirmed', 'waiting', 'ended', 'paused']),
        '`waiting`: the recipient hasn’t confirmed the address yet. `ended`: the recipient ended this report. `paused`: the channel is.',
      ),
    }),
  ),
  createdAt: Instant,
  nextAt: described(Instant, 'When the next one is sent: at 8:00 in the site’s zone.'),
  lastAt: described(
    v.nullable(Instant),
    'When the last one that reached a recipient was decided. Null: none in the last 30 days.',
  ),
});
export type MailReport = v.InferOutput<typeof MailReport>;
