-- The receipts of the last minutes. They are summed into connections when rates no longer need them. Connections and
-- receipts together say what came last.

-- Sums up to `max_rows` receipts that are over 10 minutes old, environment by environment along their index. Those of
-- a deleted environment are only deleted. While another call runs it does nothing.
create or replace function sum_telemetry_receipts(
  instant timestamptz, max_rows integer, out deleted integer, out finished boolean
)
language plpgsql set enable_seqscan = off as $$
declare
  before constant timestamptz := instant - interval '10 minutes';
begin
  deleted := 0;
  finished := true;
  if not pg_try_advisory_xact_lock(hashtextextended('sum_telemetry_receipts', 0)) then
    return;
  end if;
  with recursive
    present(key) as (
      (select environment_key from telemetry_receipts order by environment_key limit 1)
      union all
      select (
        select environment_key
        from telemetry_receipts
        where environment_key > present.key
        order by environment_key
        limit 1
      )
      from present where present.key is not null
    ),
    old as (
      select receipt.row
      from present
      cross join lateral (
        select r.ctid as row
        from telemetry_receipts r
        where r.environment_key = present.key and r.received_at < before
        limit max_rows
      ) receipt
      limit max_rows
    ),
    taken as (
      delete from telemetry_receipts
      where ctid = any (array(select row from old))
      returning environment_key, signal, service, received_at, last_nano
    ),
    summed as (
      insert into telemetry_connections (environment_key, signal, service, last_received_at, last_nano)
      select environment_key, signal, service, max(received_at), max(last_nano)
      from taken join environments on environments.key = taken.environment_key
      group by environment_key, signal, service
      order by environment_key, signal, service
      on conflict (
        environment_key, signal, service
      ) do update set
        last_received_at = greatest(telemetry_connections.last_received_at, excluded.last_received_at),
        last_nano = greatest(telemetry_connections.last_nano, excluded.last_nano)
    )
  select count(*)
  into deleted
  from taken;
  finished := deleted < max_rows;
end
$$;
