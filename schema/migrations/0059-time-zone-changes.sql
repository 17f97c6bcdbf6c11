-- Changing a site's time zone (docs/sites.md#change-the-time-zone).

alter table sites add column next_timezone text;
alter table sites add column zone_changed_at timestamptz;
comment on column sites.timezone is
  'IANA zone of reports. Rollups are cut by its days and hours; only change_zone changes it.';
comment on column sites.next_timezone is 'The zone that change_zone makes the site''s next. Null: it keeps its zone.';
comment on column sites.zone_changed_at is 'When its zone was changed last. Null: never.';
create index sites_zone_changes on sites (key) where next_timezone is not null;
