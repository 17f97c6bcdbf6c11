-- Imports over HTTP come in pieces: an import that was broken off is continued where it was.
alter table site_imports add column content_hash bytea, add column pieces integer not null default 0;
comment on column site_imports.content_hash is
  'What the caller says of its content: the same hash continues an import under way. Null: from before pieces.';
comment on column site_imports.pieces is 'The number of the last piece that came.';
