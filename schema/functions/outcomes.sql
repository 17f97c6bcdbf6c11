-- An instant as the wire has it: RFC 3339 in UTC, with milliseconds.
create or replace function wire_instant(instant timestamptz) returns text
language sql stable strict parallel safe as $$
  select to_char(instant at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
$$;
