-- Reports of a site by mail. Recipients are mail channels of its project: each confirmed the address once.

create table mail_reports (
  site_id uuid not null references sites on delete cascade,
  id uuid not null default gen_random_uuid(),
  every text not null check (every in ('day', 'week', 'month')),
  weekday smallint not null check (weekday between 1 and 7),
  language text not null,
  segment_id uuid,
  created_at timestamptz not null,
  created_by uuid,
  next_at timestamptz not null,
  primary key (site_id, id),
  foreign key (site_id, segment_id) references site_segments (site_id, id) on delete cascade
);
create unique index mail_reports_id on mail_reports (id);
create index mail_reports_next on mail_reports (next_at);
create index mail_reports_segment on mail_reports (site_id, segment_id) where segment_id is not null;
comment on table mail_reports is 'Reports of a site that are sent by mail at 8:00 in the site''s zone.';
comment on column mail_reports.weekday is 'On which day a weekly report is sent: 1 is Monday.';
comment on column mail_reports.created_by is
  'The person who made it. Without a foreign key: the person may be gone.';
comment on column mail_reports.next_at is
  'When the next one is due: 8:00 in the site''s zone. It names the days of the report, also when it is sent late.';

create table mail_report_recipients (
  report_id uuid not null references mail_reports (id) on delete cascade,
  channel_id uuid not null references message_channels (id) on delete cascade,
  ended_at timestamptz,
  primary key (report_id, channel_id)
);
create index mail_report_recipients_channel on mail_report_recipients (channel_id);
comment on table mail_report_recipients is 'Who gets a report by mail.';
comment on column mail_report_recipients.ended_at is
  'When the recipient ended this report. Null: it is sent, once the address is confirmed.';
