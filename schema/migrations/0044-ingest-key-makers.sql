alter table ingest_keys add column if not exists created_by uuid;
comment on column ingest_keys.created_by is
  'The person who made it. Without a foreign key: the person may be gone. Null: older than the column.';
