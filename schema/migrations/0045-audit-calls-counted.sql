alter table audit_log
add column if not exists calls integer not null default 1,
add column if not exists last_at timestamptz;
comment on column audit_log.calls is
  'How many calls the line counts: more than one if calls that changed nothing were repeated.';
comment on column audit_log.last_at is 'When the last of these calls came. Null: there was one.';
