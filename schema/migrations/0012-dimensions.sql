-- The key of a dictionary's entry is written by the fold: what a generated column is made of can't change, and a
-- further dimension is a further part of the key.
alter table site_profiles alter column value drop expression;
alter table site_places alter column value drop expression;
alter table site_origins alter column value drop expression;
comment on column site_profiles.value is 'profile_key of its events.';
comment on column site_places.value is 'place_key of its events.';
comment on column site_origins.value is 'origin_key of its events.';

-- The fold of before can't write any more. What it is given meanwhile waits for the functions of after.
drop function profile_key(text, text, text, text);
drop function place_key(text, text, text);
drop function origin_key(text, text, text, text, text, text, text, text);
