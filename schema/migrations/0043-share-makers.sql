alter table site_shares add column if not exists created_by uuid;
comment on column site_shares.created_by is
  'The person who made it, perhaps by an API key. Without a foreign key: the person may be gone. Null: older than '
  'the column.';
