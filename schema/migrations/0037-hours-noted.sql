-- The default is that of environments which are there already.
alter table environments add column hours_noted_from timestamptz default now();
alter table environments alter column hours_noted_from drop default;
comment on column environments.hours_noted_from is
  'Since when otlp_hours tells of this environment; null: since it was made.';
