-- A replay makes the partition of a day again whose raw events were dropped, so partitions don't say which days are
-- complete.
create table raw_events_kept (
  one boolean primary key default true check (one),
  since timestamptz not null
);
comment on table raw_events_kept is 'One row: which raw events were dropped.';
comment on column raw_events_kept.since is
  'Beginning of the first UTC day whose raw events were never dropped. Earlier days have replayed events only.';
insert into raw_events_kept (since)
select coalesce(
  min(to_date(substring(c.relname from '_(\d{8})$'), 'YYYYMMDD'))::timestamp at time zone 'UTC',
  '-infinity'
)
from pg_inherits i join pg_class c on c.oid = i.inhrelid
where i.inhparent = 'events'::regclass;
