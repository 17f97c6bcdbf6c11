alter table site_shares add column embed_origins text[] not null default '{}';
comment on column site_shares.embed_origins is
  'Origins whose pages may show the share''s page in a frame; an asterisk: those of every page. Empty: none.';
