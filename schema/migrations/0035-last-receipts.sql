alter table telemetry_receipts add column last_nano bigint;
comment on column telemetry_receipts.last_nano is
  'When the last of the items happened; null if nothing was new, and of outcomes.';
