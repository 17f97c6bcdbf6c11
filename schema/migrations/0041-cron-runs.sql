create table cron_runs (
  function text primary key,
  began_at timestamptz not null,
  ended_at timestamptz,
  failed_at timestamptz
);
comment on table cron_runs is 'The last run of each function''s cron. npm run doctor reads it.';
comment on column cron_runs.ended_at is 'When a run last did all of its work.';
comment on column cron_runs.failed_at is 'When a run last left some of it undone.';
