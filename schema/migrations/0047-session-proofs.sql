alter table user_sessions add column if not exists proven_at timestamptz;
comment on column user_sessions.proven_at is
  'When the person proved last in this session who they are, after the sign-in. Null: with the sign-in.';
