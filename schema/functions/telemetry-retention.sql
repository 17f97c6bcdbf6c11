-- Deletes telemetry after its time. Each environment keeps traces, logs and metrics for a number of whole UTC days.
-- Days that no environment keeps are dropped as partitions, the rest row by row, in bounded pieces: the next run goes
-- on where one ended.

-- The tables of telemetry whose rows expire, from the catalogue. A new table needs `environment_key`, one of these
-- columns (the first one counts), and a name that begins with its signal; a partitioned one is partitioned by `day`.
-- `last_day` is a column of tables that rows refer to; these are kept until no row can refer to them.
create or replace view telemetry_tables as
select distinct on (c.oid) c.oid::regclass as name,
  timed.attname as column_name, c.relkind = 'p' as is_partitioned,
  case
    when c.relname like 'otlp%' then 'all'
    when c.relname like 'log%' then 'logs'
    when c.relname like 'metric%' then 'metrics'
    when c.relname like 'error%' then 'errors'
    else 'traces'
  end as signal
from pg_class c
join pg_attribute key on key.attrelid = c.oid and key.attname = 'environment_key'
join pg_attribute timed on timed.attrelid = c.oid and timed.attname in ('day', 'last_day', 'minute', 'hour')
where c.relkind in ('r', 'p')
  and not c.relispartition
  and c.relnamespace = (select relnamespace from pg_class where oid = 'environments'::regclass)
order by c.oid, array_position(array['day', 'last_day', 'minute', 'hour'], timed.attname::text);

-- How many whole days an environment keeps the rows of a table. Rows that refer to others are at most a day newer.
create or replace function telemetry_kept_days(target telemetry_tables, environment environments) returns integer
language sql stable as $$
  select case (
    target).signal
    when 'traces' then (environment).traces_days
    when 'logs' then (environment).logs_days
    when 'metrics' then (environment).metrics_days
    when 'errors' then greatest((environment).traces_days, (environment).logs_days)
    else greatest((environment).traces_days, (environment).logs_days, (environment).metrics_days)
  end + case (target).column_name when 'last_day' then 2 else 0 end
$$;

-- The first day of each signal that any environment keeps. Reads all environments.
create or replace function first_telemetry_days(instant timestamptz) returns table (signal text, first_day date)
language sql stable as $$
  select signal, (instant at time zone 'UTC')::date - coalesce(days, 1)
  from (
    select max(traces_days) as traces, max(logs_days) as logs, max(metrics_days) as metrics
    from environments
  ) longest
  cross join lateral (values ('traces', traces), ('logs', logs), ('metrics', metrics)) as kept(signal, days)
$$;

-- The day on which a partition ends.
create or replace function partition_end(partition regclass) returns date
language sql stable as $$
  select substring(pg_get_expr(relpartbound, oid) from 'TO \(''([0-9-]+)')::date from pg_class where oid = partition
$$;

-- Drops the oldest day of each table that no environment keeps; returns whether any was dropped. Skips a day that
-- can't be locked at once, or into which late rows are being written (ensure_telemetry_day). Reads the catalogue, and
-- all environments for the longest retention: 3 ms for 20,000.
create or replace function drop_telemetry_days(instant timestamptz) returns boolean
language plpgsql as $$
declare
  old record;
  dropped boolean := false;
begin
  if not may_drop_partitions() then
    return false;
  end if;
  instant := trusted_instant(instant);
  for old in
    with kept as materialized (select * from first_telemetry_days(instant))
    select distinct on (target.name) target.name::text as parent, i.inhrelid::regclass as partition
    from telemetry_tables target
    join pg_inherits i on i.inhparent = target.name
    join pg_class c on c.oid = i.inhrelid
    join kept using (signal)
    where target.is_partitioned and partition_end(c.oid) <= kept.first_day
    order by target.name, c.relname
  loop
    if pg_try_advisory_xact_lock(hashtextextended('old days of ' || old.parent, 0)) then
      dropped := drop_partition(old.partition) or dropped;
    end if;
  end loop;
  return dropped;
end
$$;

-- Deletes up to `max_rows` rows of an environment in one table that are older than `kept_from`; returns how many. In a
-- partitioned table it probes each partition that other environments still keep.
create or replace function expire_telemetry_table(
  target telemetry_tables, environment integer, kept_from date, first_day date, max_rows integer
)
returns integer
language plpgsql set enable_seqscan = off as $$
declare
  deleted integer := 0;
  partition regclass;
begin
  if not target.is_partitioned then
    return delete_some(
      target.name, environment,
      format(
        case
          when target.column_name in ('day', 'last_day') then '%I < %L'
          else '%I < timestamp %L at time zone ''UTC'''
        end,
        target.column_name, kept_from
      ),
      max_rows, 'environment_key'
    );
  end if;
  while kept_from > first_day and deleted < max_rows loop
    execute format(
      'select tableoid::regclass from %s where environment_key = $1 and day >= $2 and day < $3 limit 1',
      target.name
    ) into partition using environment, first_day, kept_from;
    exit when partition is null;
    deleted := deleted + delete_some(partition, environment, 'true', max_rows - deleted, 'environment_key');
  end loop;
  return deleted;
end
$$;

-- Deletes up to `max_rows` expired rows of up to 1000 environments, each once a day. `environments.expired_on` says
-- which are done, so each call continues the one before. An environment without expired rows costs one probe per table
-- and a count of its series. Does nothing while another call runs.
create or replace function expire_telemetry(
  instant timestamptz, max_rows integer, out deleted integer, out finished boolean
)
language plpgsql as $$
declare
  today constant date := (trusted_instant(instant) at time zone 'UTC')::date;
  max_environments constant integer := 1000;
  -- Rows of services and errors that were last seen before the retention.
  remembered constant timestamptz := trusted_instant(instant) - interval '90 days';
  looked_at integer := 0;
  targets telemetry_tables[];
  target telemetry_tables;
  first_days jsonb;
  environment environments;
begin
  instant := trusted_instant(instant);
  deleted := 0;
  finished := true;
  if not exists (select from environments where expired_on < today)
    or not pg_try_advisory_xact_lock(hashtextextended('expire_telemetry', 0))
  then
    return;
  end if;
  perform keep_partitions();
  targets := array(select t from telemetry_tables t order by column_name = 'last_day', name::text);
  select jsonb_object_agg(signal, first_day) into first_days from first_telemetry_days(instant);
  for environment in
    select * from environments where expired_on < today order by expired_on, key limit max_environments
  loop
    looked_at := looked_at + 1;
    foreach target in array targets loop
      deleted := deleted + expire_telemetry_table(
        target, environment.key,
        today - telemetry_kept_days(target, environment),
        (first_days ->> target.signal)::date, max_rows - deleted
      );
    end loop;
    deleted := deleted + delete_some(
      'telemetry_connections', environment.key,
      format('last_received_at < %L', remembered),
      max_rows - deleted, 'environment_key'
    );
    deleted := deleted + delete_some(
      'telemetry_errors', environment.key, format('at < %L', remembered), max_rows - deleted, 'environment_key'
    );
    -- If `max_rows` were deleted, the environment may have more: the next call deletes them.
    if deleted >= max_rows then
      finished := false;
      return;
    end if;
    perform recount_telemetry(environment.key);
    update environments set expired_on = today where key = environment.key;
  end loop;
  finished := looked_at < max_environments;
end
$$;
