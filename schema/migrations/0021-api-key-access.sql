-- What a key opens at most. Keys from before open all that their person may see and change, and have no end.
alter table api_tokens
add column if not exists access text not null default 'write' check (access in ('read', 'write')),
add column if not exists project_ids uuid[],
add column if not exists site_ids uuid[],
add column if not exists expires_at timestamptz;
comment on column api_tokens.access is 'Whether it only reads, whatever the role of its person.';
comment on column api_tokens.project_ids is
  'The projects that it opens; null: all that its person is a member of. Without foreign keys: what is gone opens '
  'nothing.';
comment on column api_tokens.site_ids is 'The same of sites.';
comment on column api_tokens.expires_at is 'When it ends. Null: when it is revoked.';
