-- Hours and days of a zone.

-- The hour of the zone in which an instant lies: right for zones off the whole hour and on days of 23 and 25 hours.
create or replace function local_hour(instant timestamptz, zone text) returns timestamptz
language plpgsql immutable parallel safe as $$
declare
  local_time constant timestamp := instant at time zone zone;
begin
  return instant - (local_time - date_trunc('hour', local_time));
end
$$;

-- The midnight that begins the zone's day of an instant; the first of two on a day when clocks go back over midnight.
create or replace function local_day(instant timestamptz, zone text) returns timestamptz
language plpgsql immutable parallel safe as $$
declare
  local_midnight constant timestamp := date_trunc('day', instant at time zone zone);
  midnight constant timestamptz := local_midnight at time zone zone;
begin
  if (midnight - interval '1 hour') at time zone zone >= local_midnight then
    return midnight - interval '1 hour';
  end if;
  return midnight;
end
$$;

-- When a day of the zone begins.
create or replace function day_start(day date, zone text) returns timestamptz
language sql immutable parallel safe as $$
  select local_day((day + time '12:00') at time zone zone, zone)
$$;

-- The UTC day of an instant in epoch milliseconds.
create or replace function utc_day(at bigint) returns date
language sql immutable parallel safe as $$
  select date '1970-01-01' + (at / 86400000)::integer
$$;
