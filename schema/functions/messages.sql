-- Messages that go out: deciding, sending, noting the answer, and forgetting (docs/messages.md).

-- Decides a message: writes one row of the outbox for each channel that gets it, and returns how many. Call it within
-- the statement that decides, so that what is decided is also sent. A common table expression must be read by the
-- statement, or PostgreSQL never calls the function.
--   to_channels  The channels of the project that get it. Null: those that want events of this type.
--   event_type   One of lib/messages/events.ts.
--   details      The `data` of the message. With {"site": {"id"}} or {"environment": {"id"}} it is deleted with that
--                site or environment.
--   dedupe_text  Names what was decided, at most 200 characters: the same text twice is one message.
-- A channel that is paused or not confirmed gets nothing. Reads at most the project's channels.
create or replace function send_message(
  of_project uuid, to_channels uuid[], event_type text, details jsonb, instant timestamptz, dedupe_text text
)
returns integer
language sql as $$
  with made as (
    insert into outbox (project_id, channel_id, event, payload, about, dedupe, decided_at, due_at)
    select
      channel.project_id, channel.id, event_type, details,
      coalesce(details #>> '{site,id}', details #>> '{environment,id}')::uuid, dedupe_text, instant, instant
    from message_channels channel
    where channel.project_id = of_project
      and channel.paused_at is null
      and channel.confirmed_at is not null
      and case when to_channels is null then event_type = any (channel.events) else channel.id = any (to_channels) end
    on conflict do nothing
    returning 1
  )
  select count(*)::integer from made
$$;

-- Decides a message about a site, for the channels that want it: adds the site's id, name and view to `details`.
create or replace function send_site_message(
  site_key integer, event_type text, details jsonb, instant timestamptz, dedupe_text text
)
returns integer
language sql as $$
  select send_message(
    sites.project_id, null, event_type,
    details || jsonb_build_object(
      'site', jsonb_build_object('id', sites.id, 'name', sites.name), 'path', '/sites/' || sites.id
    ),
    instant, dedupe_text
  )
  from sites
  where sites.key = site_key
$$;

-- An instant as JSON has it: `2026-11-21T09:00:00.000Z`.
create or replace function json_instant(instant timestamptz) returns text
language sql immutable as $$
  select to_char(instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;

-- Deletes the messages about a site or an environment that is deleted. Uses `outbox_about`.
create or replace function forget_messages() returns trigger
language plpgsql as $$
begin
  delete from outbox where about = old.id;
  return null;
end
$$;
create or replace trigger sites_forgotten after delete on sites for each row execute function forget_messages();
create or replace trigger environments_forgotten
after delete on environments for each row
execute function forget_messages();

-- Counts one more message to an address, over all projects. Returns null if the address had fewer than 60 in the last
-- hour; otherwise nothing is counted, and it returns when there is room again.
create or replace function take_message_room(address bytea, instant timestamptz) returns timestamptz
language plpgsql as $$
declare
  recent timestamptz[];
begin
  insert into message_counts (counted_as, sent_at, last_at) values (address, '{}', instant) on conflict do nothing;
  select array(select sent from unnest(sent_at) sent where sent > instant - interval '1 hour' order by sent)
  into recent
  from message_counts
  where counted_as = address
  for update;
  if cardinality(recent) >= 60 then
    return recent[cardinality(recent) - 59] + interval '1 hour';
  end if;
  update message_counts set sent_at = recent || instant, last_at = instant where counted_as = address;
  return null;
end
$$;

-- Takes up to `max_rows` messages that are due, and keeps them from other senders for the time of the lease. A message
-- that is still `waiting` after the lease is due again: its sender was stopped. Messages of paused channels are
-- dropped; those to an address without room wait for it. Uses `outbox_due`.
create or replace function claim_messages(instant timestamptz, lease interval, max_rows integer)
returns table (project_id uuid, id uuid, attempts smallint)
language plpgsql as $$
#variable_conflict use_column
declare
  due record;
  room timestamptz;
begin
  for due in
    -- Everybody counts addresses in the same order, so that two senders don't wait for each other.
    select waiting.*, channel.paused_at, channel.counted_as
    from (
      select project_id, id, channel_id
      from outbox
      where due_at <= instant
      order by due_at
      limit max_rows
      for update skip locked
    ) waiting
    left join message_channels channel on channel.project_id = waiting.project_id and channel.id = waiting.channel_id
    order by channel.counted_as, waiting.id
  loop
    if due.paused_at is not null then
      update outbox set state = 'dropped', due_at = null where project_id = due.project_id and id = due.id;
      continue;
    end if;
    room := null;
    if due.counted_as is not null then
      select take_message_room(due.counted_as, instant)
      into room
      from message_channels channel
      where channel.project_id = due.project_id
        and channel.id = due.channel_id
        and (channel.allows_more_at is null or channel.allows_more_at < instant - interval '30 days');
    end if;
    update outbox
    set due_at = coalesce(room, instant + lease), attempts = outbox.attempts + case when room is null then 1 else 0 end
    where project_id = due.project_id and id = due.id
    returning outbox.project_id, outbox.id, outbox.attempts into project_id, id, attempts;
    if room is null then
      return next;
    end if;
  end loop;
end
$$;

-- Notes what came of an attempt: the delivery, when the message is due again (null: never), and how its channel is.
-- What was accepted stays accepted, also if another sender has taken the message meanwhile. Returns false if the
-- message is gone with its channel.
create or replace function note_delivery(
  of_project uuid, message uuid, began timestamptz, took_ms integer, http_status integer, got text, failure text,
  was_accepted boolean, allows_more boolean, next_at timestamptz
)
returns boolean
language plpgsql as $$
declare
  noted record;
begin
  update outbox
  set
    state = case
      when was_accepted or state = 'sent' then 'sent'
      when next_at is null then 'failed'
      else 'waiting'
    end,
    due_at = case when was_accepted or state = 'sent' then null else next_at end
  where project_id = of_project and id = message
  returning channel_id, attempts into noted;
  if not found then
    return false;
  end if;
  insert into message_deliveries (
    project_id, outbox_id, channel_id, at, attempt, status, duration_ms, answer, fault
  )
  values (of_project, message, noted.channel_id, began, noted.attempts, http_status, took_ms, got, failure);
  update message_channels
  set
    failing_since = case when was_accepted then null else coalesce(failing_since, began) end,
    allows_more_at = case when allows_more then began else allows_more_at end
  where project_id = of_project
    and id = noted.channel_id
    and (allows_more or was_accepted = (failing_since is not null));
  if not was_accepted then
    perform pause_failing_channel(of_project, noted.channel_id, began, http_status = 410);
  end if;
  return true;
end
$$;

-- Pauses a channel that answers 410 (`is_gone`), or that has failed for three days, and says so to the project's
-- admins by mail and to the channels that want `channel.paused`. A mail channel fails with the mail service, for no
-- fault of its own, and is not paused.
create or replace function pause_failing_channel(
  of_project uuid, channel uuid, instant timestamptz, is_gone boolean
)
returns void
language plpgsql as $$
declare
  paused record;
  details jsonb;
begin
  update message_channels
  set paused_at = instant, pause_reason = case when is_gone then 'gone' else 'failures' end
  where project_id = of_project
    and id = channel
    and kind <> 'mail'
    and paused_at is null
    and (is_gone or failing_since <= instant - interval '3 days')
  returning id, kind, name, pause_reason, failing_since into paused;
  if not found then
    return;
  end if;
  select jsonb_build_object(
    'channel', jsonb_build_object('id', paused.id, 'kind', paused.kind, 'name', paused.name),
    'project', jsonb_build_object('id', projects.id, 'name', projects.name),
    'reason', paused.pause_reason,
    'failingSince', json_instant(paused.failing_since)
  )
  into details
  from projects
  where id = of_project;
  perform send_message(of_project, null, 'channel.paused', details, instant, 'paused ' || channel || ' ' || instant);
  insert into outbox (project_id, user_id, event, payload, dedupe, decided_at, due_at)
  select project_id, user_id, 'channel.paused', details, 'paused ' || channel || ' ' || instant, instant, instant
  from project_members
  where project_id = of_project and role in ('owner', 'admin')
  on conflict do nothing;
end
$$;

-- Deletes up to `max_rows` messages that were decided over 30 days ago, with their deliveries, and counts that mean
-- nothing any more. Uses `outbox_decided` and `message_counts_last`.
create or replace function expire_messages(
  instant timestamptz, max_rows integer, out deleted integer, out finished boolean
)
language plpgsql as $$
begin
  instant := trusted_instant(instant);
  delete from message_counts where last_at < instant - interval '1 hour';
  delete from outbox
  where (project_id, id) in (
    select project_id, id from outbox where decided_at < instant - interval '30 days' limit max_rows
  );
  get diagnostics deleted = row_count;
  finished := deleted < max_rows;
end
$$;
