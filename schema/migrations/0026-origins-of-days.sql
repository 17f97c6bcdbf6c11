-- As site_texts (0023-texts-of-days.sql).
alter table site_origins
add column first_day date not null default '-infinity',
add column last_day date not null default (now() at time zone 'UTC')::date + 31,
set (fillfactor = 90);
comment on column site_origins.first_day is 'As site_texts.first_day.';
comment on column site_origins.last_day is 'As site_texts.last_day.';
