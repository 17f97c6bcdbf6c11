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
