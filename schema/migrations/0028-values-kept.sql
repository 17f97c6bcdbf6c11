alter table sites add column values_kept_from timestamptz;
comment on column sites.values_kept_from is 'kept_from, once the values that nothing names since are deleted too.';
