-- Values of dictionaries go with the last thing that names them (schema/functions/values.sql). Nobody knows the days
-- of those that are there: the defaults are for them, and for what the functions of before write until they are
-- replaced, which don't raise last_day; if db:apply is stopped there, it may be started again within a month.
alter table site_texts
add column first_day date not null default '-infinity',
add column last_day date not null default (now() at time zone 'UTC')::date + 31,
set (fillfactor = 90);
comment on column site_texts.first_day is
  'UTC day before which nothing names it. infinity: visits that named it were deleted with their visitor, and '
  'nothing that came since names it (erased_values).';
comment on column site_texts.last_day is
  'UTC day after which nothing names it, but for entries of other dictionaries that have the value.';
