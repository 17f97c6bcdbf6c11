-- 64 bits of a text's hash.
create or replace function telemetry_hash(content text) returns bigint
language sql immutable parallel safe as $$
  select ('x' || left(md5(content), 16))::bit(64)::bigint
$$;

-- A span id from its 16 hexadecimal digits, and back.
create or replace function span_id_of(digits text) returns bigint
language sql immutable parallel safe as $$
  select ('x' || digits)::bit(64)::bigint
$$;
create or replace function span_id_text(id bigint) returns text
language sql immutable parallel safe as $$
  select lpad(to_hex(id), 16, '0')
$$;
create or replace function trace_id_text(id uuid) returns text
language sql immutable parallel safe as $$
  select replace(id::text, '-', '')
$$;

-- The UTC day of an instant.
create or replace function day_of_nano(nano bigint) returns date
language sql immutable parallel safe as $$
  select date '1970-01-01' + (nano / 86400000000000)::integer
$$;

-- The ids of the resources with a service and attributes (`terms` as in find_traces); null matches any. Uses
-- otlp_resources_service; PL/pgSQL plans it per call. Without a service it reads all resources of the environment.
create or replace function resources_asked_for(environment integer, by_service text, terms text[]) returns bigint[]
language plpgsql stable as $$
begin
  return case when by_service is not null
    or terms is not null then array(
      select id
      from otlp_resources
      where environment_key = environment
        and (by_service is null or service = by_service)
        and (terms is null or attributes @@ array_to_string(terms, '$')::jsonpath)
    )
  end;
end
$$;

-- Makes the partition of a day, unless it exists. It is made as a table and then attached, because creating it
-- directly would wait for all writers. After waiting for a lock it reads the catalogue's rows, since to_regclass
-- would still give its earlier answer.
create or replace function ensure_telemetry_day(parent text, day date) returns void
language plpgsql as $$
declare
  partition constant text := parent || '_' || to_char(day, 'YYYYMMDD');
  schema constant oid := (select relnamespace from pg_class where oid = parent::regclass);
begin
  -- Days that nobody keeps are dropped (schema/functions/telemetry-retention.sql). This lock keeps the day until the
  -- late rows are written.
  if day < (now() at time zone 'UTC')::date - 1 then
    perform pg_advisory_xact_lock_shared(hashtextextended('old days of ' || parent, 0));
  elsif to_regclass(partition) is not null then
    return;
  end if;
  if exists (select from pg_class where relname = partition and relnamespace = schema) then
    return;
  end if;
  -- It runs with the owner's rights (with-owners-rights.sql), so it accepts no other table.
  if parent <> all (array['spans', 'logs', 'metric_points', 'metric_minute_sums', 'metric_hours']) then
    raise 'not a table of telemetry: %', parent;
  end if;
  perform pg_advisory_xact_lock(hashtextextended('partition ' || parent, 0));
  if exists (select from pg_class where relname = partition and relnamespace = schema) then
    return;
  end if;
  execute format('create table %I (like %I including defaults including storage)', partition, parent);
  execute format('alter table %I attach partition %I for values from (%L) to (%L)', parent, partition, day, day + 1);
end
$$;
