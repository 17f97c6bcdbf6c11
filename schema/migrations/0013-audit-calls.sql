-- Which call a line of the audit log tells of, and how it ended: refused and failed calls have lines too.
alter table audit_log
add column if not exists tool text,
add column if not exists input_hash bytea,
add column if not exists result text not null default 'done';
comment on column audit_log.tool is 'The operation or tool that was called, as `createGoal`. Null: a line of 0.1.0.';
comment on column audit_log.input_hash is
  'SHA-256 of the checked input as JSON with its keys in order, without passwords and secrets. Null: the input was '
  'never checked.';
comment on column audit_log.result is 'done, or the code of the error that the caller got.';
