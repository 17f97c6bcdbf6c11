-- As site_texts (0023-texts-of-days.sql).
alter table site_profiles
add column first_day date not null default '-infinity',
add column last_day date not null default (now() at time zone 'UTC')::date + 31,
set (fillfactor = 90);
comment on table site_profiles is
  'Dictionary of what a site''s visitors have in common with others: few combinations serve most visits. Numbered '
  'from 1; what nothing names any more goes, and its number isn''t given again.';
comment on column site_profiles.first_day is 'As site_texts.first_day.';
comment on column site_profiles.last_day is 'As site_texts.last_day.';
