alter table audit_log add column if not exists target text, add column if not exists target_name text;
comment on column audit_log.target is
  'The id of what was changed. Null: a visitor, a refused call, or a line of before this column.';
comment on column audit_log.target_name is 'Its name at that time. Null for people, whose names go with them.';
