create table view_grants (
  id uuid primary key default gen_random_uuid(),
  session_id uuid not null references user_sessions on delete cascade,
  query_token_id uuid not null unique references query_tokens on delete cascade,
  tab uuid not null,
  expires_at timestamptz not null,
  seen_at timestamptz not null,
  path text,
  sent_at timestamptz,
  shown_at timestamptz
);
create index view_grants_session on view_grants (session_id);
comment on table view_grants is
  'That a query token may change what one tab of a person''s session shows. It ends with the session and the token.';
comment on column view_grants.seen_at is 'When the tab asked last. A tab that doesn''t ask is closed.';
comment on column view_grants.path is 'The view that the token asked for last, as a path of the dashboard.';
comment on column view_grants.shown_at is 'When the tab showed it.';
