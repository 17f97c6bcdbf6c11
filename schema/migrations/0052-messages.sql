-- Messages that go out: where they go (channels), what waits to be sent (outbox), and what was answered (deliveries).

create table message_channels (
  project_id uuid not null references projects on delete cascade,
  id uuid not null default gen_random_uuid(),
  kind text not null check (kind in ('mail', 'webhook', 'slack')),
  name text not null,
  address text not null,
  events text[] not null,
  language text not null,
  created_at timestamptz not null,
  created_by uuid,
  confirmed_at timestamptz,
  secret_salt uuid,
  old_secret_salt uuid,
  old_secret_until timestamptz,
  counted_as bytea not null,
  allows_more_at timestamptz,
  failing_since timestamptz,
  paused_at timestamptz,
  pause_reason text check (pause_reason in ('person', 'failures', 'gone', 'unsubscribed')),
  primary key (project_id, id),
  check ((paused_at is null) = (pause_reason is null))
);
create unique index message_channels_id on message_channels (id);
create unique index message_channels_address on message_channels (project_id, kind, md5(address));
comment on table message_channels is
  'Where a project''s messages go: a mailbox, a webhook, or a chat that takes Slack''s payload.';
comment on column message_channels.address is 'Of a mail channel the mailbox in lower case, of others the URL.';
comment on column message_channels.events is
  'The event types that it gets without being named by an alert or a report.';
comment on column message_channels.created_by is
  'The person who made it. Without a foreign key: the person may be gone.';
comment on column message_channels.confirmed_at is
  'When the recipient of a mail channel confirmed the address; of others when it was made. Null: not confirmed, and '
  'nothing but the question is sent.';
comment on column message_channels.secret_salt is
  'The secret of a webhook is made of it and CHANNEL_KEY (lib/messages/webhook-secrets.ts). The secret itself is '
  'never stored.';
comment on column message_channels.old_secret_salt is 'The salt before the last rotation.';
comment on column message_channels.old_secret_until is 'Until then messages are signed with the old secret too.';
comment on column message_channels.counted_as is
  'SHA-256 of the mailbox without a tag, or of the host or URL: the key in message_counts.';
comment on column message_channels.allows_more_at is
  'When the receiver last said that it takes more than 60 messages an hour.';
comment on column message_channels.failing_since is
  'When the first of the failures in a row was. Null: the last delivery succeeded, or there was none.';

create table outbox (
  project_id uuid not null,
  id uuid not null default gen_random_uuid(),
  channel_id uuid,
  user_id uuid,
  event text not null,
  payload jsonb not null check (octet_length(payload::text) <= 16384),
  about uuid,
  dedupe text not null check (length(dedupe) <= 200),
  decided_at timestamptz not null,
  due_at timestamptz,
  attempts smallint not null default 0,
  state text not null default 'waiting' check (state in ('waiting', 'sent', 'failed', 'dropped')),
  primary key (project_id, id),
  foreign key (project_id, channel_id) references message_channels on delete cascade,
  foreign key (project_id) references projects on delete cascade,
  foreign key (user_id) references users on delete cascade,
  check ((channel_id is null) <> (user_id is null)),
  check ((due_at is null) = (state <> 'waiting'))
);
create unique index outbox_channel on outbox (project_id, channel_id, dedupe) where channel_id is not null;
create unique index outbox_user on outbox (project_id, user_id, dedupe) where user_id is not null;
create index outbox_users on outbox (user_id) where user_id is not null;
create index outbox_due on outbox (due_at) where due_at is not null;
create index outbox_decided on outbox (decided_at);
create index outbox_about on outbox (about) where about is not null;
comment on table outbox is
  'One row for each message and channel, written by the statement that decides the message (`send_message`). Kept 30 '
  'days.';
comment on column outbox.id is 'The `webhook-id`: the same at each attempt.';
comment on column outbox.user_id is 'An admin who gets a mail about the project, such as a paused channel.';
comment on column outbox.payload is 'The `data` of the message: names, sums and links. Never anything of one visitor.';
comment on column outbox.about is 'The site or environment of the message, with which the message is deleted.';
comment on column outbox.dedupe is 'Two messages of one channel with the same text are one.';
comment on column outbox.due_at is
  'When it is sent next. A sender that takes the row moves it on by its lease, so that no other one takes it '
  'meanwhile. Null: nothing more is sent by itself.';
comment on column outbox.attempts is 'How often a sender took it.';
comment on column outbox.state is
  '`failed`: nothing was accepted in three days. `dropped`: its channel was paused, or what it reports on is gone.';

create table message_deliveries (
  project_id uuid not null,
  id uuid not null default gen_random_uuid(),
  outbox_id uuid not null,
  channel_id uuid,
  at timestamptz not null,
  attempt smallint not null,
  status smallint,
  duration_ms integer not null,
  answer text not null,
  fault text,
  primary key (project_id, id),
  foreign key (project_id, outbox_id) references outbox on delete cascade
);
create index message_deliveries_channel on message_deliveries (project_id, channel_id, at, id);
create index message_deliveries_outbox on message_deliveries (project_id, outbox_id);
comment on table message_deliveries is
  'Each attempt to send a message, and what was answered. Deleted with its message.';
comment on column message_deliveries.status is 'The HTTP status. Null: there was no answer; `fault` says why.';
comment on column message_deliveries.answer is 'The first 1,024 bytes of the answer.';

create table message_counts (
  counted_as bytea primary key,
  sent_at timestamptz[] not null,
  last_at timestamptz not null
);
create index message_counts_last on message_counts (last_at);
comment on table message_counts is
  'How many messages went to an address in the last hour, over all projects: at most 60 to one that others may own.';
comment on column message_counts.sent_at is 'The last 60 at most, oldest first.';
