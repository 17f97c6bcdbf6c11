-- The deletion of whole environments. The row in `environments` is deleted at once. After that nothing finds its
-- telemetry and outcomes, and its key is never used again. The other rows with the key are deleted in pieces.

-- Notes that the rows of a deleted environment have to be deleted, also when its project is deleted.
create or replace function note_telemetry_deletion() returns trigger
language plpgsql as $$
begin
  insert into telemetry_deletions (key, requested_at, next_at) values (old.key, now(), now());
  return null;
end
$$;
create or replace trigger environments_deleted
after delete on environments for each row
execute function note_telemetry_deletion();

-- Deletes up to `max_rows` rows of the environment that was deleted longest ago and may still have rows, from every
-- table with the column `environment_key`, so that it finds tables added later. Receivers accept a deleted key for 30
-- s, and a cron may be summing what they wrote. So it looks again every 5 minutes, until it finds nothing 10 minutes
-- or more after the deletion. Skips environments that another call is working on.
create or replace function continue_telemetry_deletions(
  instant timestamptz, max_rows integer, out deleted integer, out finished boolean
)
language plpgsql as $$
declare
  deletion record;
  target regclass;
begin
  instant := trusted_instant(instant);
  deleted := 0;
  finished := true;
  select *
  into deletion
  from telemetry_deletions
  where next_at <= instant
  order by next_at
  limit 1
  for update skip locked;
  if not found then
    return;
  end if;
  perform keep_partitions();
  for target in
    select c.oid::regclass
    from pg_attribute a join pg_class c on c.oid = a.attrelid
    where a.attname = 'environment_key'
      and c.relkind = 'r'
      and c.relnamespace = (select relnamespace from pg_class where oid = 'environments'::regclass)
    order by c.relname
  loop
    exit when deleted >= max_rows;
    deleted := deleted + delete_some(target, deletion.key, 'true', max_rows - deleted, 'environment_key');
  end loop;
  finished := false;
  if deleted >= max_rows then
    return;
  end if;
  if deleted > 0 or instant < deletion.requested_at + interval '10 minutes' then
    update telemetry_deletions set next_at = instant + interval '5 minutes' where key = deletion.key;
  else
    delete from telemetry_deletions where key = deletion.key;
  end if;
end
$$;
